import type { Unsold } from '@vps/shared/unsold'

/** Why nothing of a group can be bought. */
export const unsoldWords: Record<Unsold, string> = {
  'no-category': '所属分类已停用',
  'no-prices': '没有启用且有价格的价格组',
  'no-hosts': '没有宿主机，也没有独立服务器',
  'no-machines': '没有宿主机，独立服务器已售出、待清理或未连通',
  'no-ready-hosts': '宿主机都不接收新服务器：尚未接入、已排空、维护中或有故障',
  'no-agents': '宿主机代理均已失联',
  'no-images': '没有启用的镜像，或宿主机上还没有镜像文件',
  'no-addresses': '空闲的 IP 地址不足',
  'no-room': '剩余的 CPU、内存或磁盘不足',
}
