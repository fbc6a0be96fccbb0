# Sourced by build.sh: the test guest. A real kernel boots a real OpenSSH and guest agent over busybox init.
# What a test can do without, and emulation takes long for. And no look whether the timer ticks, as under KVM and as
# libguestfs boots: an emulated processor that gets little of the host's misses the ticks, and the kernel panics.
kernel_options='audit=0 lsm=capability nokaslr tsc=reliable no_timer_check cryptomgr.notests'

make_rootfs() {
  local kernel_tree=$work/kernel initramfs=$work/initramfs package version module file
  rootfs busybox-static,openssh-server,qemu-guest-agent,python3-minimal,python3-yaml,iproute2,e2fsprogs,fdisk

  mkdir -p "$kernel_tree" "$initramfs"/{bin,dev,proc,sys,root,mod}
  package=$(apt-cache depends linux-image-cloud-amd64 | awk '$1=="Depends:" {print $2; exit}')
  ( cd "$kernel_tree" && apt-get -qq -o APT::Sandbox::User=root download "$package" && dpkg-deb -x "$package"_*.deb . ) >&2
  version=$(ls "$kernel_tree/lib/modules")
  depmod -b "$kernel_tree" "$version"
  cp "$root/bin/busybox" "$initramfs/bin/"
  # virtio is all modules in Debian's cloud kernel; ACPI shutdown needs both button and evdev.
  for module in virtio_pci virtio_blk virtio_net virtio_console virtio_rng virtio_balloon virtio_scsi sr_mod isofs button evdev; do
    modprobe -d "$kernel_tree" -S "$version" --show-depends "$module"
  done | awk '$1=="insmod" && !seen[$2]++ {print $2}' > "$work/modules"
  while read -r file; do
    cp "$file" "$initramfs/mod/"
    basename "$file"
  done < "$work/modules" > "$initramfs/mod/list"
  install -m 755 "$here/tiny/init" "$initramfs/init"
  cp "$kernel_tree/boot/vmlinuz-$version" "$root/boot/"
  # Compressed on purpose: runs of zeros become holes in the ext4 file, and extlinux then stops with an I/O error.
  ( cd "$initramfs" && find . | cpio --quiet -o -H newc | gzip -1 ) > "$root/boot/initrd.img-$version"

  ln -sf /bin/busybox "$root/sbin/init"
  install -m 644 "$here/tiny/inittab" "$root/etc/inittab"
  install -m 755 "$here/tiny/rcS" "$root/etc/rcS"
  install -m 755 "$here/tiny/shutdown" "$root/sbin/shutdown"
  install -m 755 "$here/tiny/nocloud" "$root/usr/local/sbin/nocloud"
  mkdir -p "$root/etc/acpi/PWRF"
  printf '#!/bin/sh\nexec /bin/busybox poweroff\n' > "$root/etc/acpi/PWRF/00000080"
  chmod 755 "$root/etc/acpi/PWRF/00000080"
}
