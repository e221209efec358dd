#!/usr/bin/env bash
# Runs the tests of a camera that fails, with the camera in a network of its own whose cable can be cut. It needs root and iproute2.
# COCKPIT_VIDEO_LOSSES says how often each fault happens.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
name=cockpit-camera-$$ link=camera$$
trap 'ip link delete "$link" 2>/dev/null || true; ip netns delete "$name"' EXIT
ip netns add "$name"
ip link add "$link" type veth peer name eth0 netns "$name"
ip address add 10.199.1.1/24 dev "$link"
ip link set "$link" up
ip netns exec "$name" ip address add 10.199.1.2/24 dev eth0
ip netns exec "$name" ip link set eth0 up
ip netns exec "$name" ip link set lo up
cd -- "$root"
COCKPIT_VIDEO_NETWORK=$name,10.199.1.2,$link swift test --skip-build --filter VideoLossTests
