/** What acts, those who act and what is acted on are called in the audit log. */
import type { ActorKind } from './audit.js'
import * as labels from './labels.js'
import * as verbs from './verbs.js'

const [scheduled, gatewayName, commandLine] = ['系统定时', '支付网关', '命令行']

const kept = {
  server: labels.server,
  category: labels.category,
  group: labels.group,
  'price-group': labels.priceGroup,
  image: labels.image,
  address: labels.address,
  host: labels.host,
  job: labels.job,
  finding: labels.finding,
  announcement: labels.announcement,
  incident: labels.incident,
  site: labels.siteSettings,
  'ssh-key': labels.sshKey,
}

export const actionPrefixes: Record<string, string> = {
  account: labels.account,
  order: labels.order,
  refund: verbs.refund,
  payment: verbs.pay,
  wallet: '钱包',
  pool: labels.ipPool,
  ...kept,
}

/** Who acts for nobody by name. */
export const actorNames: Record<string, string> = {
  timer: scheduled,
  agent: labels.hostAgent,
  gateway: gatewayName,
  command: commandLine,
}

export const subjectNames: Record<string, string> = {
  user: labels.user,
  order: labels.order,
  payment: verbs.pay,
  'ip-pool': labels.ipPool,
  ...kept,
}

const runNow = '立即执行任务'

/** One that is not here is shown as written. */
export const actionNames: Record<string, string> = {
  'account.create-admin': '创建管理员',
  'account.note': verbs.addNote,
  'account.register': verbs.register,
  'account.reset-password': verbs.recoverPassword,
  'account.set-role': '修改角色',
  'account.set-status': '停用或启用账户',
  'account.sign-in': verbs.signIn,
  'account.update-profile': '修改资料',
  'address.reserve': '保留地址',
  'announcement.create': verbs.publishAnnouncement,
  'announcement.end': verbs.endAnnouncement,
  'category.create': '新增分类',
  'category.delete': '删除分类',
  'category.update': '编辑分类',
  'finding.clean': '清理多余对象',
  'finding.resolve': '处理发现项',
  'group.create': '新增分组',
  'group.delete': '删除分组',
  'group.update': '编辑分组',
  'host.create': '新增宿主机',
  'host.enrol': '宿主机接入',
  'host.move': '改变宿主机状态',
  'host.renew-enrolment': verbs.renewEnrolment,
  'host.revoke-token': '吊销宿主机令牌',
  'host.update': verbs.editHost,
  'incident.report': verbs.reportIncident,
  'incident.update': verbs.updateIncident,
  'image.create': verbs.createImage,
  'image.delete': '删除镜像',
  'image.update': verbs.editImage,
  'job.adopt': verbs.adoptJob,
  'job.cancel': verbs.cancelJob,
  'job.run-now': runNow,
  'job.hurry': runNow, // before it was renamed
  'job.retry': verbs.retryJob,
  'order.active': '订单开通',
  'order.auto-renewal': '设置自动续费',
  'order.labels': verbs.setLabels,
  'order.cancel': verbs.cancelOrder,
  'order.expire': '订单过期',
  'order.pay': verbs.payOrder,
  'order.place': '下单',
  'order.renew': verbs.renew,
  'order.resume': '恢复订单',
  'order.suspend': '暂停订单',
  'order.upgrade': verbs.upgrade,
  'order.upgrade-reversed': '升级失败退款',
  'payment.cancel': verbs.cancelPayment,
  'payment.create': '发起充值',
  'pool.create': verbs.createIpPool,
  'pool.delete': '删除 IP 池',
  'pool.update': verbs.editIpPool,
  'price-group.apply-discount': verbs.applyDiscount,
  'price-group.create': verbs.createPriceGroup,
  'price-group.delete': '删除价格组',
  'price-group.restore-prices': verbs.restorePrices,
  'price-group.update': verbs.editPriceGroup,
  'refund.approve': verbs.approveRefund,
  'refund.reject': verbs.rejectRefund,
  'refund.request': verbs.requestRefund,
  'server.delete': '删除服务器',
  'server.destroy-again': '再次清理服务器',
  'server.enter': '新增独立服务器',
  'server.protect': '设置服务器保护',
  'server.end-remote': '结束远程连接',
  'server.open-remote': '打开远程连接',
  'server.read-password': '查看服务器密码',
  'server.deleteSnapshot': verbs.deleteSnapshot,
  'server.reinstall': verbs.reinstall,
  'server.revert': verbs.revertSnapshot,
  'server.snapshot': verbs.takeSnapshot,
  'server.resetPassword': verbs.resetPassword,
  'server.restart': verbs.restart,
  'server.start': verbs.powerOn,
  'server.stop': verbs.stop,
  'server.rename': verbs.renameServer,
  'server.update': verbs.editServer,
  'site.update': '编辑网站设置',
  'ssh-key.add': '新增 SSH 密钥',
  'ssh-key.remove': '删除 SSH 密钥',
  'wallet.adjust': verbs.adjustBalance,
}

/** As whom, in a file. */
export const actorKindNames: Record<ActorKind, string> = {
  user: labels.user,
  admin: labels.administrator,
  agent: labels.hostAgent,
  timer: scheduled,
  gateway: gatewayName,
  command: commandLine,
}
