#!/usr/bin/env python3
"""Publishes what `cockpit --drive` commands as geometry_msgs/Twist on cmd_vel (ROS 2).

    drive_ros2.py udp:5005 --ros-args -p speed:=1.5 -p turn:=1.0
"""

import sys
import threading

import rclpy
from geometry_msgs.msg import Twist

from drive_consumer import commands


def main():
    rclpy.init()
    place = next((word for word in sys.argv[1:] if word == "-" or word.startswith(("unix:", "udp:"))), "udp:5005")
    node = rclpy.create_node("cockpit_drive")
    speed = node.declare_parameter("speed", 1.0).value  # Metres a second at full throttle.
    turn = node.declare_parameter("turn", 1.0).value  # Radians a second at full lock.
    publisher = node.create_publisher(Twist, "cmd_vel", 1)
    threading.Thread(target=rclpy.spin, args=(node,), daemon=True).start()
    for command in commands(place):
        twist = Twist()
        twist.linear.x = command.throttle * speed
        twist.angular.z = -command.steering * turn  # ROS counts turns to the left.
        publisher.publish(twist)
    publisher.publish(Twist())
    rclpy.shutdown()


if __name__ == "__main__":
    main()
