import { page, type Locator } from 'vitest/browser'
import { choose, dialog, field, inDialog, inQuestion, notices, pressOn, question, type Act } from './act'
import { main } from './screen'
import {
  address,
  announcement,
  anyOrder,
  anyPayment,
  category,
  findingsReads,
  group,
  host,
  hostAddress,
  hostReads,
  image,
  incident,
  job,
  lostOrder,
  migratable,
  migration,
  otherHost,
  pool,
  priceGroup,
  refund,
  server,
  settingsReads,
  user,
  userAddress,
  userReads,
} from './operators-things'
import type { CallPath, Script } from './script'
import { endedJob, inDays, pageOf } from './things'

const groups: Script = { 'catalogue.groups': { data: pageOf(group) } }
const categories: Script = { 'catalogue.categories': { data: pageOf(category) } }
const priceGroups: Script = { ...groups, 'catalogue.priceGroups': { data: pageOf(priceGroup()) } }
const servers: Script = { ...groups, 'servers.list': { data: pageOf(server) } }
const pools: Script = { 'pools.list': { data: pageOf(pool) } }
const hosts: Script = { ...groups, ...pools, 'hosts.list': { data: pageOf(host) }, 'hosts.get': { data: host } }
const images: Script = { 'images.list': { data: pageOf(image) } }
const jobs = (changes: Parameters<typeof job>[0]): Script => ({
  'jobs.list': { data: pageOf(job(changes)) },
  'jobs.get': { data: { ...endedJob('restart'), id: job().id, status: job(changes).status } },
})
const users: Script = { 'users.list': { data: pageOf(user) } }
const allOrders: Script = { 'orders.all': { data: pageOf(anyOrder()) } }
const incidents: Script = { ...groups, 'status.incidents': { data: pageOf(incident) } }
const announcements: Script = { ...groups, 'announcements.list': { data: pageOf(announcement) } }

type Place = Pick<Act, 'at' | 'beside'>
const admin = (file: string, path: CallPath, place: Place) =>
  ({ as: 'admin', from: `features/admin/${file}`, path, ...place }) as const

function inForm(open: () => Promise<unknown>, fill: readonly (readonly [Locator, string])[], save = '保存') {
  const reach = async () => {
    await open()
    for (const [field, value] of fill) await field.fill(value)
  }
  return { reach, send: inDialog(save), told: dialog, kept: fill }
}
function inQuestionOf(
  open: () => Promise<unknown>,
  confirm: string,
  typed: readonly (readonly [Locator, string])[] = [],
) {
  const reach = async () => {
    await open()
    for (const [field, value] of typed) await field.fill(value)
  }
  return { reach, send: inQuestion(confirm), told: question, kept: typed }
}
const press = (name: string | RegExp) => () => pressOn(name)
const menu = (of: string, entry: string) => () => choose(of, entry)
const select = (label: string, option: string) => field(label).selectOptions(option)

const atSettings: Place = { at: '/settings', beside: settingsReads }
const atCategories: Place = { at: '/categories', beside: categories }
const atGroups: Place = { at: '/groups', beside: { ...groups, ...categories } }
const atServers: Place = { at: '/servers', beside: servers }
const atPriceGroups: Place = {
  at: '/price-groups',
  beside: { ...priceGroups, 'catalogue.priceGroupName': { data: { exists: false } } },
}
const discounted: Place = {
  at: '/price-groups',
  beside: {
    ...groups,
    'catalogue.priceGroups': {
      data: pageOf(priceGroup({ hasDiscount: true, discountActive: true, discountPercentage: 15 })),
    },
  },
}
const deletion = (what: string) => inQuestionOf(press(`删除 ${what}`), '确认删除')

const catalogue: Act[] = [
  {
    ...admin('categories/CategoryDialog.tsx', 'catalogue.createCategory', atCategories),
    foreign: '创建服务器分类失败',
    ...inForm(press('新增'), [
      [field('名称'), '裸金属'],
      [field('描述'), '整台机器'],
    ]),
  },
  {
    ...admin('categories/CategoryDialog.tsx', 'catalogue.updateCategory', atCategories),
    foreign: '更新服务器分类失败',
    ...inForm(press(`编辑 ${category.name}`), [[field('名称'), '另一个名称']]),
  },
  {
    ...admin('categories/CategoriesPage.tsx', 'catalogue.deleteCategory', atCategories),
    foreign: '删除服务器分类失败',
    ...deletion(category.name),
  },
  {
    ...admin('groups/GroupDialog.tsx', 'catalogue.createGroup', atGroups),
    foreign: '创建服务器分组失败',
    ...inForm(async () => {
      await pressOn('新增')
      await select('所属分类', category.name)
    }, [[field('名称'), '东京']]),
  },
  {
    ...admin('groups/GroupDialog.tsx', 'catalogue.updateGroup', atGroups),
    foreign: '更新服务器分组失败',
    ...inForm(press(`编辑 ${group.name}`), [[field('城市'), '九龙']]),
  },
  {
    ...admin('groups/GroupsPage.tsx', 'catalogue.deleteGroup', atGroups),
    foreign: '删除服务器分组失败',
    ...deletion(group.name),
  },
  {
    ...admin('price-groups/PriceGroupDialog.tsx', 'catalogue.createPriceGroup', atPriceGroups),
    foreign: '创建价格组失败',
    ...inForm(async () => {
      await pressOn('新增')
      await dialog.getByLabelText('服务器分组').selectOptions(group.id)
      for (const period of ['每小时', '每天', '每月', '每季', '每半年', '每年']) await field(period).fill('9.9')
    }, [[dialog.getByLabelText('名称').first(), '香港基础型']]),
  },
  {
    ...admin('price-groups/PriceGroupDialog.tsx', 'catalogue.updatePriceGroup', atPriceGroups),
    foreign: '更新价格组失败',
    ...inForm(press(`编辑 ${priceGroup().name}`), [[field('描述'), '改过的描述']]),
  },
  {
    ...admin('price-groups/SalesPagePage.tsx', 'catalogue.updatePriceGroup', {
      at: `/price-groups/${priceGroup().id}/sales-page`,
      beside: { 'catalogue.priceGroup': { data: priceGroup() } },
    }),
    foreign: '保存销售页失败',
    reach: () => field('HTML 内容').fill('<p>适合建站</p>'),
    send: main().getByRole('button', { name: '保存', exact: true }),
    told: main(),
    kept: [[field('HTML 内容'), '<p>适合建站</p>']],
  },
  {
    ...admin('price-groups/DiscountDialog.tsx', 'catalogue.applyDiscount', atPriceGroups),
    foreign: '应用折扣失败',
    ...inForm(menu(priceGroup().name, '应用折扣'), [[field('折扣百分比'), '12']], '应用折扣'),
  },
  {
    ...admin('price-groups/RestoreConfirm.tsx', 'catalogue.restorePrices', discounted),
    foreign: '恢复原价失败',
    ...inQuestionOf(menu(priceGroup().name, '恢复原价'), '确认恢复原价'),
  },
  {
    ...admin('price-groups/PriceGroupsPage.tsx', 'catalogue.deletePriceGroup', atPriceGroups),
    foreign: '删除价格组失败',
    ...inQuestionOf(menu(priceGroup().name, '删除'), '确认删除'),
  },
  {
    ...admin('servers/ServerDialog.tsx', 'servers.create', atServers),
    foreign: '创建服务器失败',
    ...inForm(async () => {
      await pressOn('新增')
      await dialog.getByLabelText('服务器分组').selectOptions(group.id)
    }, [
      [field('IP地址'), '198.51.100.78'],
      [dialog.getByLabelText('密码', { exact: true }), 'Geheim-123'],
      [field('操作系统'), 'Debian 12'],
      [field('CPU'), '2'],
      [field('内存'), '4'],
      [field('磁盘'), '40'],
      [field('网络速度'), '100 Mbps'],
    ]),
  },
  {
    ...admin('servers/ServerDialog.tsx', 'servers.update', atServers),
    foreign: '更新服务器失败',
    ...inForm(press(`编辑 ${server.ip}`), [[field('操作系统'), 'Debian 13']]),
  },
  {
    ...admin('servers/ServersPage.tsx', 'servers.delete', atServers),
    foreign: '删除服务器失败',
    ...inQuestionOf(press(`删除 ${server.ip}`), '确认删除', [[question.getByRole('textbox'), server.ip ?? '']]),
  },
  {
    ...admin('announcements/AnnouncementDialog.tsx', 'announcements.create', {
      at: '/announcements',
      beside: announcements,
    }),
    foreign: '发布公告失败',
    ...inForm(
      press('发布公告'),
      [
        [field('标题'), '机房搬迁'],
        [field('内容'), '周六 02:00 开始。'],
        [field('开始时间'), '2030-01-01T02:00'],
      ],
      '发布',
    ),
    keyed: true,
  },
  {
    ...admin('announcements/AnnouncementsPage.tsx', 'announcements.end', {
      at: '/announcements',
      beside: announcements,
    }),
    ...inQuestionOf(press(`结束 ${announcement.title}`), '确认结束'),
  },
  {
    ...admin('incidents/IncidentDialog.tsx', 'status.report', { at: '/incidents', beside: incidents }),
    foreign: '发布服务事件失败',
    ...inForm(
      async () => {
        await pressOn('发布服务事件')
        await field('支付').click()
      },
      [
        [field('标题'), '支付通道中断'],
        [field('内容'), '正在联系支付渠道。'],
      ],
      '发布',
    ),
    keyed: true,
  },
  {
    ...admin('incidents/IncidentDialog.tsx', 'status.update', { at: '/incidents', beside: incidents }),
    foreign: '补充进展失败',
    ...inForm(press(`补充进展 ${incident.title}`), [[field('内容'), '线路已切换。']], '发布'),
    keyed: true,
  },
  {
    ...admin('settings/SectionDialog.tsx', 'site.save', atSettings),
    foreign: '更新网站设置失败',
    ...inForm(press('编辑联系方式'), [[field('微信'), 'ours']]),
  },
  {
    ...admin('settings/BackupStorageDialog.tsx', 'backupRepository.save', atSettings),
    foreign: '更新备份存储失败',
    ...inForm(press('编辑备份存储'), [[field('上传限速'), '2048']]),
  },
  {
    ...admin('settings/BackupStorageCard.tsx', 'backupRepository.test', atSettings),
    foreign: '测试备份存储失败',
    send: main().getByRole('button', { name: '测试备份存储' }),
    told: notices,
  },
  {
    ...admin('settings/BackupStorageCard.tsx', 'backupRepository.clear', atSettings),
    ...inQuestionOf(press('停用备份存储'), '确认停用'),
  },
  {
    ...admin('settings/ReverseDnsDialog.tsx', 'reverseDns.save', atSettings),
    foreign: '更新反向解析服务器失败',
    ...inForm(press('编辑反向解析服务器'), [[field('反向区域'), '2.0.192.in-addr.arpa']]),
  },
  {
    ...admin('settings/ReverseDnsCard.tsx', 'reverseDns.clear', atSettings),
    ...inQuestionOf(press('停用反向解析服务器'), '确认停用'),
  },
  {
    ...admin('settings/ReverseDnsCard.tsx', 'reverseDns.test', atSettings),
    reach: () => Promise.resolve(),
    send: page.getByRole('button', { name: '测试反向解析服务器' }),
    told: page.getByRole('main'),
  },
]

const atHosts: Place = { at: '/hosts', beside: hosts }
const atImages: Place = { at: '/images', beside: images }
const atPools: Place = {
  at: '/ip-pools',
  beside: { ...pools, 'pools.addresses': { data: pageOf(address) } },
}
const fleet: Act[] = [
  {
    ...admin('hosts/HostDialog.tsx', 'hosts.create', atHosts),
    foreign: '创建宿主机失败',
    ...inForm(
      press('接入宿主机'),
      [
        [field('名称'), 'hk-2'],
        [field('网桥'), 'br1'],
      ],
      '生成接入命令',
    ),
  },
  {
    ...admin('hosts/HostDialog.tsx', 'hosts.update', atHosts),
    foreign: '更新宿主机失败',
    ...inForm(press(`编辑 ${host.name}`), [[field('保留内存'), '4096']]),
  },
  {
    ...admin('hosts/EnrolmentDialog.tsx', 'hosts.renewEnrolment', atHosts),
    ...inQuestionOf(menu(host.name, '重新生成接入命令'), '确认生成'),
  },
  {
    ...admin('hosts/EnrolmentDialog.tsx', 'hosts.revokeToken', atHosts),
    ...inQuestionOf(menu(host.name, '吊销令牌'), '确认吊销'),
  },
  {
    ...admin('hosts/MoveHost.tsx', 'hosts.move', atHosts),
    ...inQuestionOf(menu(host.name, '宣告丢失'), '确认宣告丢失', [[question.getByRole('textbox'), host.name]]),
  },
  {
    ...admin('images/ImageDialog.tsx', 'images.create', atImages),
    foreign: '创建镜像失败',
    ...inForm(press('新增'), [
      [field('系统名称'), 'Debian'],
      [field('版本'), '13'],
      [field('文件名'), 'debian-13.qcow2'],
    ]),
  },
  {
    ...admin('images/ImageDialog.tsx', 'images.update', atImages),
    foreign: '更新镜像失败',
    ...inForm(press(`编辑 ${image.osName} ${image.osVersion}`), [[field('用户名'), 'debian']]),
  },
  {
    ...admin('images/ImagesPage.tsx', 'images.delete', atImages),
    foreign: '删除镜像失败',
    ...deletion(`${image.osName} ${image.osVersion}`),
  },
  {
    ...admin('ip-pools/PoolDialog.tsx', 'pools.create', atPools),
    foreign: '创建 IP 池失败',
    ...inForm(press('新增'), [
      [field('名称'), '香港备用'],
      [field('网段'), '198.51.100.0/24'],
      [field('DNS'), '223.5.5.5，119.29.29.29'],
    ]),
  },
  {
    ...admin('ip-pools/PoolDialog.tsx', 'pools.update', atPools),
    foreign: '更新 IP 池失败',
    ...inForm(press(`编辑 ${pool.name}`), [[field('网桥'), 'br2']]),
  },
  {
    ...admin('ip-pools/IpPoolsPage.tsx', 'pools.delete', atPools),
    foreign: '删除 IP 池失败',
    ...deletion(pool.name),
  },
  {
    ...admin('ip-pools/AddressesDialog.tsx', 'pools.reserveAddress', atPools),
    reach: press(`查看地址 ${pool.name}`),
    send: dialog.getByRole('button', { name: `保留 ${address.address}`, exact: true }),
    told: notices,
  },
]

const theJob = `重启 ${job().serverName}`
const atJobs = (changes: Parameters<typeof job>[0] = {}): Place => ({ at: '/jobs', beside: jobs(changes) })
const atFindings = (changes: Parameters<typeof findingsReads>[0] = {}): Place => ({
  at: '/findings',
  beside: findingsReads(changes),
})
const work: Act[] = [
  {
    ...admin('jobs/JobsPage.tsx', 'jobs.runNow', atJobs()),
    send: menu(theJob, '立即执行'),
    told: notices,
  },
  {
    ...admin('jobs/JobDialog.tsx', 'jobs.cancel', atJobs()),
    ...inQuestionOf(menu(theJob, '取消任务'), '确认取消任务'),
  },
  {
    ...admin('jobs/JobDialog.tsx', 'jobs.retry', atJobs({ status: 'FAILED', finishedAt: inDays(0) })),
    ...inQuestionOf(menu(theJob, '重试'), '确认重试'),
    keyed: true,
  },
  {
    ...admin('jobs/JobDialog.tsx', 'jobs.adopt', atJobs({ status: 'RUNNING', startedAt: inDays(0) })),
    ...inQuestionOf(menu(theJob, '接管'), '确认接管'),
  },
  {
    ...admin('findings/AlertSwitch.tsx', 'alerts.set', atFindings()),
    send: page.getByRole('switch', { name: '告警邮件' }),
    force: true,
    told: notices,
  },
  {
    ...admin('findings/FindingDialog.tsx', 'findings.resolve', atFindings()),
    ...inForm(press(/^处理 /), [], '标记为已处理'),
  },
  {
    ...admin('findings/finding-acts.tsx', 'findings.clean', atFindings({ kind: 'stray-domain', cleanable: true })),
    ...ofFinding('清理'),
  },
  {
    ...admin('findings/finding-acts.tsx', 'console.act', atFindings({ kind: 'hung-domain' })),
    ...ofFinding('强制关机'),
  },
  { ...admin('findings/finding-acts.tsx', 'findings.redefine', atFindings()), ...ofFinding('重新定义') },
  {
    ...admin('findings/finding-acts.tsx', 'findings.applyFirewall', atFindings({ kind: 'changed-firewall' })),
    ...ofFinding('重新应用'),
  },
  {
    ...admin('findings/finding-acts.tsx', 'payments.creditExtra', atFindings({ kind: 'paid-twice' })),
    ...ofFinding('转入余额'),
  },
]

function ofFinding(label: string) {
  return {
    ...inQuestionOf(async () => {
      await pressOn(/^处理 /)
      await inDialog(label).click()
    }, `确认${label}`),
    keyed: true,
  } as const
}

const atLost: Place = {
  at: hostAddress,
  beside: {
    ...hostReads,
    'hosts.get': { data: { ...host, status: 'LOST' } },
    'lostOrders.list': { data: [lostOrder(1)] },
  },
}
const again = '重试剩余 1 台'
const lost: Act[] = [
  {
    ...admin('hosts/LostOrders.tsx', 'lostOrders.evacuate', atLost),
    reach: press('重建 香港-1'),
    send: question.getByRole('button', { name: new RegExp(`^(确认重建|${again})$`) }),
    told: question,
    keyed: true,
  },
  {
    ...admin('hosts/LostOrders.tsx', 'lostOrders.refund', atLost),
    reach: press('退款 香港-1'),
    send: question.getByRole('button', { name: new RegExp(`^(确认退款|${again})$`) }),
    told: question,
    keyed: true,
  },
]

const migrating: Act[] = [
  {
    ...admin('hosts/MigrateDialogs.tsx', 'migrations.start', {
      at: `${hostAddress}?part=migrations`,
      beside: { ...hostReads, 'migrations.hosts': { data: [otherHost] } },
    }),
    reach: async () => {
      await pressOn('迁移 香港-1')
      await select('目标宿主机', otherHost.name)
    },
    send: inQuestion('确认迁移'),
    told: question,
    kept: [[field('目标宿主机'), otherHost.id]],
    keyed: true,
  },
  {
    ...admin('hosts/MigrateDialogs.tsx', 'migrations.cancel', {
      at: `${hostAddress}?part=migrations`,
      beside: { ...hostReads, 'migrations.list': { data: [migratable(1, { migration: migration() })] } },
    }),
    ...inQuestionOf(press('取消迁移 香港-1'), '确认取消迁移'),
    keyed: true,
  },
]

const { orderNumber } = anyOrder()
const atAllOrders: Place = { at: '/all-orders', beside: allOrders }
const atRefunds: Place = { at: '/refunds', beside: { 'refunds.list': { data: pageOf(refund) } } }
const atUsers: Place = { at: '/users', beside: users }
const people: Act[] = [
  {
    ...admin('orders/order-moves.tsx', 'orders.setStatus', atAllOrders),
    ...inQuestionOf(menu(`订单 ${orderNumber}`, '暂停'), '确认暂停', [[field('原因'), '滥用']]),
    keyed: true,
  },
  {
    ...admin('refunds/RefundsPage.tsx', 'refunds.approve', atRefunds),
    ...inQuestionOf(press(`批准 ${orderNumber}`), '确认批准', [[field('处理说明'), '同意']]),
    keyed: true,
  },
  {
    ...admin('refunds/RefundsPage.tsx', 'refunds.reject', atRefunds),
    ...inQuestionOf(press(`驳回 ${orderNumber}`), '确认驳回', [[field('处理说明'), '已超过期限']]),
    keyed: true,
  },
  {
    ...admin('payments/use-check.ts', 'payments.check', {
      at: '/payments',
      beside: { 'payments.all': { data: pageOf(anyPayment()) } },
    }),
    foreign: '查询支付状态失败',
    send: page.getByRole('main').getByRole('button', { name: `查询网关 ${anyPayment().outTradeNo}`, exact: true }),
    told: notices,
  },
  {
    ...admin('users/AdjustDialog.tsx', 'wallet.adjust', { at: userAddress, beside: userReads }),
    foreign: '调整余额失败',
    ...inForm(
      press('调整余额'),
      [
        [field('调整金额'), '-12.5'],
        [field('原因'), '补差价'],
      ],
      '确认调整',
    ),
    keyed: true,
  },
  {
    ...admin('users/NotesPart.tsx', 'users.addNote', { at: `${userAddress}?part=notes`, beside: userReads }),
    foreign: '保存备注失败',
    ...inForm(press('写备注'), [[field('备注'), '答应周五回电']]),
    keyed: true,
  },
  {
    ...admin('users/account-acts.tsx', 'users.setStatus', atUsers),
    ...inQuestionOf(menu(user.username, '停用账户'), '确认停用', [[field('原因'), '滥用']]),
  },
  {
    ...admin('users/account-acts.tsx', 'users.clearSecondFactor', {
      at: '/users',
      beside: { ...users, 'users.list': { data: pageOf({ ...user, secondFactor: true }) } },
    }),
    ...inQuestionOf(menu(user.username, '关闭两步验证'), '确认关闭', [[field('原因'), '电话核实身份']]),
  },
  {
    ...admin('users/account-acts.tsx', 'users.setRole', atUsers),
    ...inQuestionOf(menu(user.username, '设为管理员'), '确认设为管理员'),
  },
]

export const operatorsActs = [...catalogue, ...fleet, ...lost, ...migrating, ...work, ...people]
