#!/usr/bin/env python3
"""Publishes what `cockpit --drive` commands as geometry_msgs/Twist on cmd_vel (ROS 2 Humble and later).

    drive_ros2.py udp:0.0.0.0:5005 --ros-args -p speed:=1.5 -p turn:=1.0

The base needs a watchdog too: most stop when cmd_vel stays silent (diff_drive_controller: cmd_vel_timeout).
"""

import sys
import threading

import rclpy
from geometry_msgs.msg import Twist
from rclpy.signals import SignalHandlerOptions

from drive_consumer import carry_out


def twist(command, speed, turn):
    """A car's motion: it turns as fast as it goes, the other way in reverse, and stands while it brakes."""
    motion = Twist()
    if not command.brake:
        motion.linear.x = command.throttle * speed
        # ROS counts turns to the left.
        motion.angular.z = -command.steering * command.throttle * turn
    return motion


def main():
    # The signals stay Python's: ROS would close the publisher before the last stop.
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    place = next((word for word in sys.argv[1:] if word == "-" or word.startswith(("unix:", "udp:"))), "udp:5005")
    node = rclpy.create_node("cockpit_drive")
    speed = node.declare_parameter("speed", 1.0).value  # Metres a second at full throttle.
    turn = node.declare_parameter("turn", 1.0).value  # Radians a second at full lock and full throttle.
    publisher = node.create_publisher(Twist, "cmd_vel", 1)
    threading.Thread(target=rclpy.spin, args=(node,), daemon=True).start()
    try:
        carry_out(place, lambda command: publisher.publish(twist(command, speed, turn)), vehicle=publisher.topic_name)
    finally:
        rclpy.shutdown()


if __name__ == "__main__":
    main()
