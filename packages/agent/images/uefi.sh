#!/bin/bash
# Makes of a guest image one that boots by UEFI alone, and prints its path.
#
#   uefi.sh IMAGE
#
# The same root file system, with an EFI system partition behind it: kernel and initrd, and systemd-boot at the path where
# firmware looks that knows nothing of the disk. Its boot sector is emptied: a BIOS finds nothing.
# Cached beside the image under a hash of this script. Needs no root, and: dosfstools mtools fdisk e2fsprogs qemu-utils
# systemd-boot-efi.
set -euo pipefail
export LC_ALL=C.UTF-8 PATH="$PATH:/usr/sbin:/sbin"
image=${1:?usage: uefi.sh IMAGE}
made=${image%.qcow2}-uefi-$(sha256sum "$0" | cut -c1-8).qcow2
exec 9> "$(dirname "$image")/.lock"
flock -w 900 9
if [ -e "$made" ]; then echo "$made"; exit 0; fi

work=$(mktemp -d "$(dirname "$image")/.build.XXXXXX")
trap 'rm -rf "$work"' EXIT
disk=$work/disk.raw
qemu-img convert -O raw "$image" "$disk"

# The root file system as a file, for debugfs.
start=$(sfdisk --json "$disk" | sed -n 's/.*"start": *\([0-9]*\).*/\1/p' | head -1)
root="$disk?offset=$((start * 512))"
dump() { debugfs -R "dump $1 $2" "$root" 2> /dev/null; [ -s "$2" ]; }
dump /boot/extlinux/extlinux.conf "$work/extlinux.conf"
told() { sed -n "s/^ *$1 //p" "$work/extlinux.conf"; }
dump "$(told kernel)" "$work/linux"
dump "$(told initrd)" "$work/initrd"

esp=$work/esp
mb=$(( ($(stat -c %s "$work/linux") + $(stat -c %s "$work/initrd")) / 1048576 + 40 ))
truncate -s "${mb}M" "$esp"
mkfs.vfat -F 32 "$esp" > /dev/null
printf 'title linux\nlinux /linux\ninitrd /initrd\noptions %s\n' "$(told append)" > "$work/linux.conf"
printf 'timeout 0\n' > "$work/loader.conf"
mmd -i "$esp" ::EFI ::EFI/BOOT ::loader ::loader/entries
mcopy -i "$esp" /usr/lib/systemd/boot/efi/systemd-bootx64.efi ::EFI/BOOT/BOOTX64.EFI
mcopy -i "$esp" "$work/linux" "$work/initrd" ::
mcopy -i "$esp" "$work/loader.conf" ::loader/loader.conf
mcopy -i "$esp" "$work/linux.conf" ::loader/entries/linux.conf

end=$(( ($(stat -c %s "$disk") + 1048575) / 1048576 ))
truncate -s "$((end + mb))M" "$disk"
echo "$((end * 2048)),$((mb * 2048)),ef" | sfdisk -q --append "$disk" >&2
dd if="$esp" of="$disk" bs=1M seek="$end" conv=notrunc status=none
dd if=/dev/zero of="$disk" bs=440 count=1 conv=notrunc status=none
qemu-img convert -O qcow2 "$disk" "$work/image.qcow2"
mv "$work/image.qcow2" "$made"
echo "$made"
