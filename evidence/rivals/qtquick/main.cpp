// The panel in Qt Quick, drawn by its software renderer.
#include <QFont>
#include <QGuiApplication>
#include <QQmlApplicationEngine>
#include <QQuickWindow>

int main(int argc, char **argv)
{
    QQuickWindow::setGraphicsApi(QSGRendererInterface::Software);
    QGuiApplication application(argc, argv);
    QGuiApplication::setFont(QFont(QStringLiteral("Inter")));
    QQmlApplicationEngine engine;
    engine.load(QUrl(QStringLiteral("qrc:/Panel/Main.qml")));
    return engine.rootObjects().isEmpty() ? 1 : application.exec();
}
