# Sourced by build.sh: the rescue system (decision 0101). Debian as for customers, with what repairs their disks.
# The kernel for all hardware: the cloud one leaves out some file systems and RAID levels.
kernel_package=linux-image-amd64
more_packages=xfsprogs,btrfs-progs,dosfstools,ntfs-3g,lvm2,mdadm,cryptsetup-bin,gdisk,parted,rsync,curl,wget,testdisk,gddrescue,arch-install-scripts,file,less,lsof,psmisc,tmux,vim-tiny,xz-utils,zstd,tcpdump,strace

# shellcheck source=/dev/null
. "$here/debian/rootfs.sh"
eval "$(declare -f make_rootfs | sed '1s/make_rootfs/make_debian/')"

make_rootfs() {
  make_debian
  install -m 644 "$here/rescue/motd" "$root/etc/motd"
  # Chinese is readable without a locale of its own.
  echo 'LANG=C.UTF-8' > "$root/etc/default/locale"
  # What is on the disk beside is assembled and activated when its owner says so.
  echo 'AUTO -all' >> "$root/etc/mdadm/mdadm.conf"
  sed -i 's/^\(\s*\)# event_activation = 1/\1event_activation = 0/' "$root/etc/lvm/lvm.conf"
}
