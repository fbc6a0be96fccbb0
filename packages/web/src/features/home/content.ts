/** Static sample figures and testimonials. */
import * as labels from '@vps/shared/labels'
import {
  Clock,
  Cpu,
  Database,
  Gauge,
  Globe,
  Headset,
  Network,
  Rocket,
  ServerCog,
  ShieldCheck,
  Timer,
  Users,
  Wallet,
} from 'lucide-react'

export const features = [
  { icon: ShieldCheck, title: labels.availability, text: '冗余电源与网络，主机故障自动换机重试，业务持续在线。' },
  { icon: Rocket, title: '30 秒部署', text: '付款后立即安装，每一步进度实时可见，装好即可登录。' },
  { icon: Headset, title: labels.aroundTheClock, text: '技术团队全天候值守，平均 5 分钟响应您的问题。' },
  { icon: Globe, title: '15+ 数据中心', text: '多地区机房可选，把服务器放在离用户最近的地方。' },
  { icon: Gauge, title: '延迟低于 50ms', text: '优质 BGP 线路与就近接入，访问始终流畅。' },
  { icon: Wallet, title: '按需计费', text: '按小时到按年灵活选择，周期越长越优惠，没有隐藏费用。' },
]

export const stats = [
  { icon: Users, value: '10,000+', label: '活跃用户' },
  { icon: Clock, value: '99.9%', label: '可用性' },
  { icon: Globe, value: '15+', label: '数据中心' },
  { icon: Timer, value: '5 分钟', label: '平均支持响应' },
]

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
