# Sourced by build.sh: Debian with systemd and real cloud-init, for customers.
# From Debian 13 on systemd looks for a socket of the hypervisor's to listen on for SSH, and complains where there is none.
kernel_options='systemd.ssh_auto=no'

make_rootfs() {
  local unit
  rootfs systemd-sysv,systemd-resolved,netplan.io,udev,dbus,openssh-server,cloud-init,cloud-guest-utils,qemu-guest-agent,${kernel_package:-linux-image-cloud-amd64},initramfs-tools,iproute2,e2fsprogs,kmod,procps,busybox,fdisk,sudo,ca-certificates,iputils-ping,nano${more_packages:+,$more_packages}
  echo "LABEL=$label / ext4 defaults,noatime,errors=remount-ro 0 1" > "$root/etc/fstab"

  # A short list of modules keeps the initrd small: software emulation reads it slowly.
  printf 'MODULES=list\nBUSYBOX=y\nCOMPRESS=gzip\nFSTYPE=ext4\n' > "$root/etc/initramfs-tools/conf.d/guest"
  printf 'virtio_pci\nvirtio_blk\nvirtio_scsi\nsr_mod\nisofs\nvirtio_net\nvirtio_console\nvirtio_rng\next4\n' > "$root/etc/initramfs-tools/modules"
  mount -t proc proc "$root/proc"
  mounted=$root/proc
  chroot "$root" update-initramfs -u > /dev/null 2>&1
  umount "$root/proc"
  mounted=

  chroot "$root" systemctl -q enable systemd-networkd
  # From Debian 13 on a first boot brings caches of libraries and messages up to date, for seconds: they are.
  if [ -x "$root/usr/lib/systemd/systemd-update-done" ]; then
    chroot "$root" journalctl --update-catalog > /dev/null 2>&1
    chroot "$root" /usr/lib/systemd/systemd-update-done
  fi
  for unit in systemd-networkd-wait-online.service e2scrub_reap.service e2scrub_all.timer systemd-pstore.service; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
  done
  # What it writes of its logging stays: without, every line of debugging goes to the serial line.
  find "$root/etc/cloud/cloud.cfg.d" -type f ! -name '*_logging.cfg' -delete
  # By netplan, as Debian's own cloud images: of a gateway outside of the machine's prefix cloud-init's renderer for networkd
  # does not say that it is on the link, and there is no way to it. Named under system_info: elsewhere it is ignored.
  # No `policy: enabled` for ds-identify: once the agent has taken the seed away, cloud-init must stay out of the way.
  cat > "$root/etc/cloud/cloud.cfg" << 'CFG'
users: []
disable_root: false
preserve_hostname: false
datasource_list: [NoCloud]
ssh_genkeytypes: [ed25519]
cloud_init_modules: [growpart, resizefs, set_hostname, update_etc_hosts, write-files, users-groups, ssh, set-passwords]
cloud_config_modules: [runcmd]
cloud_final_modules: [scripts-user]
system_info:
  distro: debian
  network: {renderers: [netplan]}
  ssh_svcname: ssh
  paths: {cloud_dir: /var/lib/cloud/, templates_dir: /etc/cloud/templates/}
CFG
}
