/** Plain sh for whatever system is inside; each does nothing where nothing is to do. */

/**
 * What keeps sshd from its port: SELinux (stock images have no `semanage`, and its ports may belong to others),
 * firewalld, and Ubuntu's ssh.socket, set up before sshd's configuration. Restarts nothing where sshd listens.
 */
export function openPort(port: number): string {
  return `if [ -e /sys/fs/selinux/enforce ] && command -v semodule >/dev/null 2>&1; then
  printf '%s' '${sshdMayBind}' > /run/vps-ssh-port.cil && semodule -i /run/vps-ssh-port.cil || true
fi
if firewall-cmd --state >/dev/null 2>&1; then
  firewall-cmd -q --permanent --add-port=${port}/tcp && firewall-cmd -q --add-port=${port}/tcp || true
elif command -v firewall-offline-cmd >/dev/null 2>&1; then firewall-offline-cmd -q --add-port=${port}/tcp || true
fi
if command -v systemctl >/dev/null 2>&1; then
  ss -Htln 'sport = :${port}' 2>/dev/null | grep -q . || {
    systemctl daemon-reload
    systemctl try-restart ssh.socket ssh.service sshd.service
    for unit in ssh.service sshd.service; do if systemctl is-failed -q $unit; then systemctl restart $unit; fi; done
  } || true
fi`
}

/** CIL: sshd may listen on any port. A module cannot give away a port that the policy gave to another. */
const sshdMayBind =
  '(typeattributeset cil_gen_require sshd_t)(typeattributeset cil_gen_require port_type)(allow sshd_t port_type (tcp_socket (name_bind)))'

/**
 * Stock images have no guest agent, which resets passwords and tells the disk's use. Beside the first boot: no customer
 * waits for a mirror.
 */
export const installGuestAgent = `command -v qemu-ga >/dev/null 2>&1 && exit 0
(
  if command -v apt-get; then apt-get -q update; DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install qemu-guest-agent
  elif command -v dnf; then dnf -q -y install qemu-guest-agent
  elif command -v yum; then yum -q -y install qemu-guest-agent
  elif command -v zypper; then zypper -n -q install qemu-guest-agent
  elif command -v apk; then apk add -q qemu-guest-agent && rc-update add qemu-guest-agent && rc-service qemu-guest-agent start
  fi
  if command -v systemctl; then systemctl enable --now qemu-guest-agent; fi
) </dev/null >/var/log/vps-guest-agent.log 2>&1 &`

export const passwordFile = 'vps-password'

/** Not cloud-init's label. */
export const passwordLabel = 'vps-password'

const script = '/usr/local/sbin/vps-password'

/** At every boot; only the host can put such an image in. */
export const passwordFiles = [
  {
    path: script,
    permissions: '0755',
    content: `#!/bin/sh
# Sets the password that a one-time image brings. The host puts one in when the owner asks for a new password.
folder=$(mktemp -d) || exit 0
for device in /dev/sr0 /dev/sr1; do
  [ -b "$device" ] && mount -t iso9660 -o ro "$device" "$folder" 2>/dev/null || continue
  [ ! -f "$folder/${passwordFile}" ] || chpasswd -e < "$folder/${passwordFile}"
  umount "$folder"
done
rmdir "$folder"
`,
  },
  {
    path: '/etc/systemd/system/vps-password.service',
    permissions: '0644',
    content: `[Unit]
Description=Set the password that a one-time image brings
Before=ssh.service sshd.service
[Service]
Type=oneshot
ExecStart=${script}
[Install]
WantedBy=multi-user.target
`,
  },
]

export const watchForPassword = `if command -v systemctl >/dev/null 2>&1; then systemctl enable vps-password.service; fi`

/** A guest that forgot must start once more. */
export const hasForgotten = 75

/**
 * Real cloud-init trusts what it knows (`manual_cache_clean`), and looks at another machine's seed only once told to
 * forget. Nothing where it is this machine, or without cloud-init. No single quote: see `guest.ts`.
 */
export const forgetIdentity = (instance: string) => `command -v cloud-init >/dev/null 2>&1 || exit 0
[ "$(cat /var/lib/cloud/data/instance-id 2>/dev/null)" != "${instance}" ] || exit 0
cloud-init clean --logs || exit 1
: > /etc/machine-id
[ -L /var/lib/dbus/machine-id ] || rm -f /var/lib/dbus/machine-id
sync
exit ${hasForgotten}`
