import QtQuick
import QtQuick.Controls.Basic

// A dial and two sliders, whose values a label shows.
ApplicationWindow {
    width: 1280
    height: 720
    visible: true
    title: "Panel"
    color: "#14181d"

    component Lever: Slider {
        id: lever
        x: 720
        width: 480
        height: 64
        padding: 0
        to: 100
        value: 50
        background: Rectangle {
            y: (lever.height - height) / 2
            width: lever.width
            height: 8
            radius: 4
            color: "#3a424d"
            Rectangle {
                width: lever.handle.x + lever.handle.width / 2
                height: parent.height
                radius: parent.radius
                color: "#4da3ff"
            }
        }
        handle: Rectangle {
            x: lever.visualPosition * (lever.width - width)
            y: (lever.height - height) / 2
            width: 48
            height: 48
            radius: 24
            color: "#e8eaed"
        }
    }

    Dial {
        id: dial
        x: 120
        y: 100
        width: 520
        height: 520
        to: 100
        value: 50
        Accessible.name: "Dial"
        background: Rectangle {
            width: dial.width
            height: dial.height
            radius: width / 2
            color: "#20262d"
            border { width: 12; color: "#3a424d" }
        }
        handle: Rectangle {
            // The angle is in degrees clockwise from the top. Moving the handle is cheaper here than turning it.
            readonly property real turned: dial.angle * Math.PI / 180
            x: (dial.width - width) / 2 + 200 * Math.sin(turned)
            y: (dial.height - height) / 2 - 200 * Math.cos(turned)
            width: 56
            height: 56
            radius: 28
            color: "#4da3ff"
        }
    }

    Lever { id: left; y: 288; Accessible.name: "First slider" }
    Lever { id: right; y: 448; Accessible.name: "Second slider" }

    Text {
        x: 720
        y: 130
        width: 480
        height: 60
        horizontalAlignment: Text.AlignHCenter
        verticalAlignment: Text.AlignVCenter
        font.pixelSize: 40
        color: "#e8eaed"
        text: `${Math.round(dial.value)} · ${Math.round(left.value)} · ${Math.round(right.value)}`
    }
}
