#!/bin/bash
# Runs a command where it may do what it likes: with network, mounts, processes, users and a libvirt of its own.
#
#   enter.sh COMMAND [ARGUMENT ...]
#
# When the command ends nothing is left, and this machine's own libvirt has not been touched. Needs root, libvirtd, QEMU.
set -euo pipefail
export LC_ALL=C.UTF-8 PATH="$PATH:/usr/sbin:/sbin"

if [ -z "${VM_TEST_INSIDE:-}" ]; then
  VM_TEST_INSIDE=$(mktemp -d)
  export VM_TEST_INSIDE
  # A database inside runs as a user of its own, who must be able to pass through.
  chmod 711 "$VM_TEST_INSIDE"
  trap 'rm -rf --one-file-system "$VM_TEST_INSIDE"' EXIT
  # unshare itself ignores signals; killed, it takes everything inside with it.
  unshare --net --mount --pid --ipc --fork --kill-child --mount-proc "$0" "$@" <&0 &
  inside=$!
  trap 'kill -KILL "$inside"' TERM INT HUP
  wait "$inside"
  exit
fi

own=$VM_TEST_INSIDE
# Temporary files are our own too: from here, the owners of those outside look dead.
mkdir -m 1777 "$own/tmp"
export TMPDIR=$own/tmp
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
# The network devices under /sys are those of the namespace that mounted it.
mount -t sysfs sysfs /sys
for folder in /etc/libvirt /var/lib/libvirt /var/log/libvirt /var/cache/libvirt /run; do
  mkdir -p "$folder" "$own$folder"
  mount --bind "$own$folder" "$folder"
done
for file in /etc/passwd /etc/group /etc/shadow /etc/gshadow; do
  cp -p "$file" "$own$file"
  mount --bind "$own$file" "$file"
done
mkdir -p /run/lock /var/log/libvirt/qemu /var/lib/libvirt/{images,qemu,dnsmasq}

# libvirtd's QEMU driver does not start without this user and this group, even with user="root" below.
# Written by hand: groupadd replaces the file, which a mount does not allow.
getent group kvm > /dev/null || echo 'kvm:x:64055:' >> /etc/group
getent group libvirt-qemu > /dev/null || echo 'libvirt-qemu:x:64056:' >> /etc/group
getent passwd libvirt-qemu > /dev/null ||
  echo 'libvirt-qemu:x:64057:64055::/var/lib/libvirt:/usr/sbin/nologin' >> /etc/passwd
cat > /etc/libvirt/qemu.conf << 'CONF'
security_driver = "none"
user = "root"
group = "root"
dynamic_ownership = 0
remember_owner = 0
namespaces = [ ]
cgroup_controllers = [ ]
seccomp_sandbox = 0
CONF
cat > /etc/libvirt/libvirtd.conf << 'CONF'
unix_sock_group = "root"
unix_sock_rw_perms = "0700"
auth_unix_ro = "none"
auth_unix_rw = "none"
CONF

ip link set lo up
ip link add "${VM_TEST_BRIDGE:-br0}" type bridge
ip address add "${VM_TEST_ADDRESS:-10.77.0.1/24}" dev "${VM_TEST_BRIDGE:-br0}"
ip link set "${VM_TEST_BRIDGE:-br0}" up
virtlogd -d > /dev/null 2>&1
libvirtd -d > /dev/null 2>&1
for _ in $(seq 300); do
  if virsh -q -c qemu:///system version > /dev/null 2>&1; then ready=1 && break; fi
  sleep 0.1
done
[ "${ready:-}" ] || { echo "libvirtd does not answer" >&2; exit 1; }
"$@"
