import { graceHours, setUpMinutes } from '@vps/shared/deadlines'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import { measuredText, setUpsText } from '@vps/shared/status'
import type { FiguresView } from '@vps/shared/status.contract'
import type { SiteSettings } from '@vps/shared/site'
import {
  Clock,
  CodeXml,
  Cpu,
  Database,
  Gauge,
  Globe,
  Headset,
  Network,
  Rocket,
  ServerCog,
  ShieldCheck,
  Store,
  Timer,
  Users,
  Wallet,
  type LucideIcon,
} from 'lucide-react'

type Entry = { icon: LucideIcon; title: string; text: string; measured?: string | undefined }

const entryIf = (claim: string, entry: Entry): Entry[] => (claim ? [entry] : [])

type Claims = Pick<SiteSettings, 'users' | 'dataCentres' | 'availability' | 'supportAnswer' | 'latency'>

/** What nobody claims is left out. */
export const featuresOf = (site: Claims, figures?: FiguresView): Entry[] => [
  ...entryIf(site.availability, {
    icon: ShieldCheck,
    title: `${site.availability} ${labels.availability}`,
    text: '冗余电源与网络，主机故障自动换机重试，业务持续在线。',
  }),
  {
    icon: Rocket,
    title: '30 秒部署',
    text: '付款后立即安装，每一步进度实时可见，装好即可登录。',
    measured: figures?.setUpSeconds ? setUpsText(figures.setUpSeconds) : undefined,
  },
  {
    icon: Headset,
    title: labels.aroundTheClock,
    text: `技术团队全天候值守${site.supportAnswer && `，平均 ${site.supportAnswer}响应您的问题`}。`,
  },
  ...entryIf(site.dataCentres, {
    icon: Globe,
    title: `${site.dataCentres} ${labels.dataCentres}`,
    text: '多地区机房可选，把服务器放在离用户最近的地方。',
  }),
  ...entryIf(site.latency, {
    icon: Gauge,
    title: `延迟低于 ${site.latency}`,
    text: '优质 BGP 线路与就近接入，访问始终流畅。',
  }),
  { icon: Wallet, title: '按需计费', text: '按小时到按年灵活选择，周期越长越优惠，没有隐藏费用。' },
]

/** What nobody claims is left out. */
export const statsOf = (site: Claims, figures?: FiguresView) =>
  [
    { icon: Users, value: site.users, label: labels.activeUsers },
    {
      icon: Clock,
      value: site.availability,
      label: labels.availability,
      measured: figures?.availability == null ? undefined : measuredText(figures.availability, figures.measuredDays),
    },
    { icon: Globe, value: site.dataCentres, label: labels.dataCentres },
    { icon: Timer, value: site.supportAnswer, label: labels.supportAnswer },
  ].filter(({ value }) => value !== '')

export const technologies = [
  { icon: Cpu, title: labels.kvm, text: '独享内核与资源，隔离彻底，性能可预期。' },
  { icon: Database, title: 'SSD 云盘', text: '企业级固态存储，读写快，数据可靠。' },
  { icon: Network, title: '高速网络', text: '多线接入，带宽按购买足额提供。' },
  { icon: ServerCog, title: labels.selfService, text: '开关机、重置密码、实时监控，浏览器里全部完成。' },
]

export const testimonials = [
  {
    name: '李明',
    role: '电商平台技术负责人',
    text: '大促前临时扩了六台，付款到能登录不到一分钟，整个过程看得见进度，心里很踏实。',
  },
  {
    name: '王芳',
    role: '独立开发者',
    text: '价格清楚，配置怎么调、要付多少钱一目了然。控制台很快，用手机也能重启服务器。',
  },
  {
    name: '张伟',
    role: '在线教育运维经理',
    text: '半夜提的问题，五分钟就有人回复。迁过来一年，可用性确实做到了承诺的水平。',
  },
]

/** What they need at least. */
export const uses = [
  { icon: Globe, title: '个人网站与学习', text: '博客、作品集、练习环境', least: { cpuCores: 1, memoryGb: 1 } },
  { icon: CodeXml, title: '小型应用与测试', text: '接口服务、持续集成、预发环境', least: { cpuCores: 2, memoryGb: 2 } },
  { icon: Store, title: '商城与数据库', text: '持续读写、需要更多内存', least: { cpuCores: 2, memoryGb: 4 } },
  { icon: Gauge, title: '计算与高并发', text: '编译、转码、大量请求', least: { cpuCores: 4, memoryGb: 8 } },
]

export const questions = [
  {
    question: '付款后多久可以使用服务器？',
    answer: `付款后立即开始安装，每一步进度实时可见。系统确认可以登录之后才开始计费；${setUpMinutes} 分钟内没有装好，费用全额退回账户余额。`,
  },
  {
    question: '到期没有续费会怎样？',
    answer: `开启自动续费后，到期时从账户余额扣款。余额不足时服务器暂停，数据保留 ${graceHours} 小时，期间续费即可恢复。按月及更长的周期到期之前会发邮件提醒。`,
  },
  {
    question: '买错了可以退款吗？',
    answer: `${text.refundTime}可以在订单中申请退款，审核通过后款项退回账户余额。`,
  },
  {
    question: '配置不够用了怎么办？',
    answer: '在订单中升级配置，只需支付剩余时间的差价。升级期间服务器会重启一次，数据和地址保持不变。',
  },
  {
    question: '可以更换操作系统吗？',
    answer: '可以。在控制台重装系统，选择任意在售的系统与版本。重装会清除系统盘上的数据，请先备份。',
  },
  {
    question: '服务器的密码安全吗？',
    answer: '密码加密保存，每次查看都会留下记录。您也可以添加 SSH 密钥，用密钥登录。',
  },
]
