// Qt's player of an address, to compare with: `qml player.qml -- ADDRESS`.
import QtMultimedia
import QtQuick
import QtQuick.Window

Window {
  visible: true
  visibility: Window.FullScreen
  VideoOutput {
    id: output
    anchors.fill: parent
  }
  MediaPlayer {
    source: Qt.application.arguments[Qt.application.arguments.length - 1]
    videoOutput: output
    Component.onCompleted: play()
    onErrorOccurred: (error, text) => console.log(text)
  }
}
