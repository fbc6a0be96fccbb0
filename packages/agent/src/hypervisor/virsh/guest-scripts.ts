/** Plain sh for whatever system is inside; each does nothing where nothing is to do. */

/**
 * SELinux must be told of the port; Ubuntu's ssh.socket was set up before sshd's configuration. Where sshd listens
 * already, nothing is restarted.
 */
export function openPort(port: number): string {
  return [
    `if command -v semanage >/dev/null 2>&1; then semanage port -a -t ssh_port_t -p tcp ${port} 2>/dev/null || true; fi`,
    `if command -v systemctl >/dev/null 2>&1; then`,
    `  ss -Htln 'sport = :${port}' 2>/dev/null | grep -q . || { systemctl daemon-reload; systemctl try-restart ssh.socket ssh.service sshd.service; } || true`,
    `fi`,
  ].join('\n')
}

/**
 * Stock images have no guest agent, which resets passwords and tells the disk's use. Installed beside the first boot:
 * no customer waits for a mirror.
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

/** What `chpasswd -e` reads. */
export const passwordFile = 'vps-password'

/** Not the label that cloud-init looks for. */
export const passwordLabel = 'vps-password'

const script = '/usr/local/sbin/vps-password'

/** At every boot; only the host can put a one-time image in. */
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
