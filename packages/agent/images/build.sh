#!/bin/bash
# Builds a guest image from Debian packages and prints the path of the finished qcow2 file.
#
#   build.sh tiny|debian|rescue [--suite CODENAME] [--fresh]
#
#   tiny    real kernel, OpenSSH and guest agent over busybox init, with a small reader of NoCloud seeds; boots in seconds
#           even without hardware virtualisation. For tests.
#   debian  systemd and real cloud-init. For operators: copy it to the host's image folder as debian-12.qcow2 or the like.
#           Of this machine's release, or of the one that --suite names (trixie: Debian 13).
#   rescue  the same with what repairs disks: the image of the rescue mode (`npm run build:rescue -- FILE`).
#
# Packages come from the mirror that apt on this machine already uses. The result is cached under a hash of these scripts
# (IMAGE_CACHE, default /var/cache/vps-portal/images); --fresh builds anew, to take in security updates.
# Needs root, and: mmdebstrap e2fsprogs fdisk extlinux syslinux-common cpio kmod qemu-utils.
set -euo pipefail
export LC_ALL=C.UTF-8 PATH="$PATH:/usr/sbin:/sbin"
here=$(cd "$(dirname "$0")" && pwd)
guest=${1:-} suite= fresh=
[ $# = 0 ] || shift
while [ $# -gt 0 ]; do
  case $1 in
    --fresh) fresh=1 ;;
    --suite) suite=${2:?--suite wants a codename} && shift ;;
    *) guest= ;;
  esac
  shift
done
case $guest in tiny | debian | rescue) ;; *) echo "usage: build.sh tiny|debian|rescue [--suite CODENAME] [--fresh]" >&2; exit 2 ;; esac

# What a guest is made of beside its own folder, and what its root file system is called.
declare -A parts=([rescue]=debian)
# Not a name that the disk beside it may have.
label=root
[ "$guest" != rescue ] || label=rescue

cache=${IMAGE_CACHE:-/var/cache/vps-portal/images}
inputs=$(cd "$here" && find build.sh "$guest" ${parts[$guest]:-} -type f | sort | xargs sha256sum | sha256sum | cut -c1-16)
image=$cache/$guest${suite:+-$suite}-$inputs.qcow2
mkdir -p "$cache"

# Two builds at once would share nothing but the processor: the second waits and finds the image made.
exec 9> "$cache/.lock"
flock -w 900 9
if [ -e "$image" ] && [ -z "$fresh" ]; then echo "$image"; exit 0; fi
[ "$(id -u)" = 0 ] || { echo "building an image needs root" >&2; exit 1; }
for tool in mmdebstrap mkfs.ext4 sfdisk extlinux cpio depmod qemu-img; do
  command -v "$tool" > /dev/null || { echo "missing tool: $tool" >&2; exit 1; }
done

own=$(. /etc/os-release && echo "$VERSION_CODENAME")
codename=${suite:-$own}
mirror_of() { apt-get indextargets --format '$(REPO_URI) $(RELEASE)' | awk -v r="$1" '$2==r {print $1; exit}'; }
# A mirror has all releases.
mirror=$(mirror_of "$own") security=$(mirror_of "$own-security")
[ -n "$mirror" ] || { echo "apt knows no mirror of $own" >&2; exit 1; }

work=$(mktemp -d "$cache/.build.XXXXXX")
mounted=
cleanup() { [ -z "$mounted" ] || umount "$mounted" || true; rm -rf --one-file-system "$work"; }
trap cleanup EXIT
root=$work/root

# rootfs PACKAGES: a minimal Debian without documentation, without host keys, without an identity.
rootfs() {
  local sources=("deb $mirror $codename main")
  [ -z "$security" ] || sources+=("deb $security $codename-security main")
  mmdebstrap --quiet --mode=root --variant=minbase --format=directory \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --aptopt='APT::Install-Recommends "false"' \
    --include="$1" "$codename" "$root" "${sources[@]}" >&2
  rm -f "$root"/etc/ssh/ssh_host_*
  : > "$root/etc/machine-id"
  echo guest > "$root/etc/hostname"
}

# shellcheck source=/dev/null
. "$here/$guest/rootfs.sh"
make_rootfs

kernel=$(basename "$root"/boot/vmlinuz-*) initrd=$(basename "$root"/boot/initrd.img-*)
mkdir -p "$root/boot/extlinux"
cat > "$root/boot/extlinux/extlinux.conf" << CONF
default linux
prompt 0
label linux
  kernel /boot/$kernel
  initrd /boot/$initrd
  append root=LABEL=$label ro console=ttyS0 quiet net.ifnames=0 mitigations=off ${kernel_options:-}
CONF

raw=$work/disk.raw
size_mb=$(( $(du -sm "$root" | cut -f1) * 3 / 2 + 384 ))
truncate -s "${size_mb}M" "$raw"
echo '2048,,83,*' | sfdisk -q "$raw" >&2
# extlinux reads ext4 only without 64bit and metadata_csum; with an explicit size mkfs counts in blocks of -b.
mkfs.ext4 -q -F -b 4096 -L "$label" -O '^64bit,^metadata_csum,^has_journal' \
  -E offset=1048576,lazy_itable_init=0,root_owner=0:0 -d "$root" "$raw" $(( (size_mb * 1048576 - 1048576) / 4096 )) >&2
mkdir "$work/mnt"
mount -o loop,offset=1048576 "$raw" "$work/mnt"
mounted=$work/mnt
extlinux --install "$work/mnt/boot/extlinux" > /dev/null 2>&1
umount "$work/mnt"
mounted=
dd if=/usr/lib/syslinux/mbr/mbr.bin of="$raw" conv=notrunc bs=440 count=1 status=none
if [ "$guest" != tiny ]; then
  # Customers' disks want a journal; extlinux does not mind one that is added after it has been written.
  losetup_device=$(losetup --find --show --offset 1048576 "$raw")
  tune2fs -j "$losetup_device" >&2 || { losetup -d "$losetup_device"; exit 1; }
  losetup -d "$losetup_device"
fi
qemu-img convert -q -O qcow2 "$raw" "$work/image.qcow2"
mv "$work/image.qcow2" "$image"
echo "$image"
