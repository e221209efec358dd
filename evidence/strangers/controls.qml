// A window of Qt Quick Controls for the stage to judge.
import QtQuick
import QtQuick.Controls

ApplicationWindow {
    visible: true
    width: 400
    height: 300
    title: "controls"

    Column {
        anchors.fill: parent
        spacing: 12
        Button { text: "press" }
        Slider { width: parent.width }
        TextField { width: parent.width; focus: true }
        ComboBox { model: ["one", "two", "three"] }
    }
}
