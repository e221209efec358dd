"""Shows a few of Qt's widgets in a window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QSlider, QVBoxLayout, QWidget

application = QApplication([])
window = QWidget(windowTitle="controls")
layout = QVBoxLayout(window)
choice = QComboBox()
choice.addItems(["one", "two", "three"])
for widget in (QPushButton("press"), QSlider(Qt.Orientation.Horizontal), QLineEdit(), choice):
    layout.addWidget(widget)
window.show()
application.exec()
