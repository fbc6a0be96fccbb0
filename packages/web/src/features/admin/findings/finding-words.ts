import type { Finding } from './FindingsPage'

/** What a finding is, and what an operator does about it. */
export const kinds: Record<string, { name: string; advice: string }> = {
  'stray-domain': { name: '多余的虚拟机', advice: '宿主机上有一台系统不认识的虚拟机。确认无用后在宿主机上删除它。' },
  'stray-volume': {
    name: '多余的磁盘',
    advice: '宿主机上有一个不属于任何服务器的磁盘文件。确认无用后在宿主机上删除它。',
  },
  'missing-domain': {
    name: '缺失的虚拟机',
    advice: '应当在这台宿主机上的虚拟机不见了。与客户确认后重装系统，或为订单退款。',
  },
  'changed-domain': {
    name: '被改动的虚拟机',
    advice: '虚拟机在系统之外被改动或替换。与客户确认后重装系统，使其恢复为系统记录的样子。',
  },
  'unreadable-domain': {
    name: '无法读取的虚拟机',
    advice: '这台虚拟机的定义无法读取，因此不知道它是什么；其他虚拟机不受影响。请在宿主机上检查它的定义。',
  },
  'hung-domain': {
    name: '没有响应的虚拟机',
    advice:
      '这台虚拟机的 QEMU 进程没有响应，电源状态未知；同一宿主机上的其他虚拟机不受影响。先检查宿主机的存储，无法恢复时强制关机后再启动。',
  },
  'libvirt-away': {
    name: 'libvirt 没有响应',
    advice: '代理无法连接宿主机上的 libvirt：任务等待，不会失败；恢复后自动继续。请在宿主机上检查 libvirtd。',
  },
  'network-away': {
    name: '网络不存在',
    advice: '宿主机上没有虚拟机所用的网桥或网络：任务等待，不会失败；恢复后自动继续。请在宿主机上检查网络设置。',
  },
  'changed-base': {
    name: '被改动的底版',
    advice:
      '宿主机上 base 文件夹中的镜像副本被写入，与其名称中的 SHA-256 不符，依赖它的磁盘可能已损坏；对应镜像在此宿主机上已停售。用原来的镜像文件还原它，或为受影响的服务器重装系统。',
  },
  'second-agent': { name: '重复的代理', advice: '另一台机器用同一宿主机的身份连接，已被拒绝。停掉多余的代理。' },
  'shrunk-host': { name: '容量变小', advice: '宿主机报告的容量小于已分配的资源。恢复硬件，或排空宿主机。' },
}

export const nameOf = ({ kind }: Pick<Finding, 'kind'>) => kinds[kind]?.name ?? kind
