#!/bin/bash
# Runs a command on a host with a thin pool of LVM, `vps/pool`: Linux as a process (Debian: user-mode-linux), which brings
# the device mapper wherever it runs, over this machine's files, of which it changes none but TEST_RESULT_FILE.
#
#   thin.sh COMMAND [ARGUMENT ...]
#
# Needs root, user-mode-linux, lvm2 and thin-provisioning-tools; a guest's whole story with a browser also more mappings
# than a kernel allows by itself (`sysctl -w vm.max_map_count=1048576`). Ends as the command does.
set -euo pipefail
own=$(mktemp -d)
inside=
trap 'rm -rf --one-file-system "$own"' EXIT
trap '[ -z "$inside" ] || kill -KILL "$inside"; exit 1' TERM INT HUP
modules=$(echo /usr/lib/uml/modules/*)
truncate -s 6G "$own/disk"
mkdir "$own/result"

cat > "$own/init" << INIT
#!/bin/bash
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
insmod $modules/kernel/fs/overlayfs/overlay.ko
mount -t tmpfs none /mnt
mkdir /mnt/{changed,work,root}
mount -t overlay -o lowerdir=/,upperdir=/mnt/changed,workdir=/mnt/work root /mnt/root
cd /mnt/root
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t devtmpfs dev dev
mount -t hostfs -o "$own/result" none mnt
exec chroot . /bin/bash "$own/inside"
INIT

cat > "$own/inside" << INSIDE
mount -t tmpfs none /run
mkdir -p /run/lock /run/lvm /dev/pts /dev/shm /usr/lib/modules
mount -t devpts none /dev/pts
mount -t tmpfs -o mode=1777 none /dev/shm
mount -t cgroup2 none /sys/fs/cgroup
ln -s $modules /usr/lib/modules/ 2> /dev/null
for module in dm-thin-pool tun bridge loop; do modprobe \$module; done
# As udev links it: bash reads from programs through it.
ln -s /proc/self/fd /dev/fd
ip link set lo up
# No udev is here.
cat > /etc/lvm/lvmlocal.conf << 'CONF'
activation {
  udev_sync = 0
  udev_rules = 0
}
devices {
  obtain_device_list_from_udev = 0
  external_device_info_source = "none"
}
CONF
vgcreate -q vps /dev/ubda && lvcreate -q --type thin-pool --size 5G --name pool vps
$(export -p)
export VM_TEST_THIN_POOL=vps/pool TEST_RESULT_FILE=/mnt/result.json
cd "$PWD"
# No terminal: whole lines.
$(printf '%q ' "$@") < /dev/null 2>&1 | cat
echo \${PIPESTATUS[0]} > /mnt/status
sync
echo o > /proc/sysrq-trigger
sleep 60
INSIDE
chmod +x "$own/init"

unshare --pid --fork --kill-child linux.uml mem=6144M root=/dev/root rootfstype=hostfs rootflags=/ ro "init=$own/init" \
  "ubda=$own/disk" con=null con0=null,fd:1 con1=null loglevel=1 < /dev/null &
inside=$!
wait "$inside" || true
if [ -n "${TEST_RESULT_FILE:-}" ] && [ -f "$own/result/result.json" ]; then
  cp "$own/result/result.json" "$TEST_RESULT_FILE"
fi
exit "$(cat "$own/result/status")"
