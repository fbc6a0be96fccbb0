import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import * as text from '@vps/shared/text'
import {
  Boxes,
  CircleGauge,
  CodeXml,
  Cpu,
  Gamepad2,
  HardDrive,
  Headset,
  MemoryStick,
  Network,
  RefreshCcw,
  Rocket,
  ShieldCheck,
  ShoppingCart,
  Store,
  type LucideIcon,
} from 'lucide-react'
import { lazy, useState } from 'react'
import styled from 'styled-components'
import { color, font, media, radius } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Opening } from '../../ui/Opening'

const FooterDialog = lazy(() => import('../../about/FooterDialog'))

const sections: { title: string; entries: { icon: LucideIcon; name: string; text: string }[] }[] = [
  {
    title: '核心规格',
    entries: [
      { icon: Cpu, name: '1-32 核 CPU', text: '独立内核，性能可预期' },
      { icon: MemoryStick, name: '1-128 GB 内存', text: '按 1 GB 递增' },
      { icon: HardDrive, name: '20-2000 GB 存储', text: '固态云盘，按 10 GB 递增' },
      { icon: Network, name: '1-1000 Mbps 带宽', text: '最多 10 个独立 IP' },
    ],
  },
  {
    title: '技术特性',
    entries: [
      { icon: Boxes, name: labels.kvm, text: '完整内核，隔离彻底' },
      { icon: Rocket, name: '自动安装', text: '付款即开通，进度实时可见' },
      { icon: CircleGauge, name: '实时监控', text: 'CPU、内存、磁盘一目了然' },
      { icon: RefreshCcw, name: labels.selfService, text: '开关机、重启、重置密码' },
    ],
  },
  {
    title: '使用场景',
    entries: [
      { icon: Store, name: '网站与电商', text: '稳定承载日常与促销流量' },
      { icon: CodeXml, name: '开发与测试', text: '按小时计费，用完即走' },
      { icon: Gamepad2, name: '游戏与应用', text: '低延迟，高主频' },
      { icon: HardDrive, name: '存储与备份', text: '大容量磁盘，数据可靠' },
    ],
  },
  {
    title: '服务保障',
    entries: [
      { icon: ShieldCheck, name: '自动换机', text: '主机故障时换机重试' },
      { icon: Headset, name: labels.aroundTheClock, text: '平均 5 分钟响应' },
      { icon: RefreshCcw, name: '7 天退款', text: `${text.refundTime}可申请` },
      { icon: ShoppingCart, name: '明码标价', text: '下单前看清每一项费用' },
    ],
  },
]

/** For whoever has not chosen a group. */
export default function Welcome({ hasGroups, onBrowse }: { hasGroups: boolean; onBrowse: () => void }) {
  const [contact, setContact] = useState(false)
  return (
    <Stack>
      <Banner>
        <div>
          <h2>为每一种业务准备的云服务器</h2>
          <p>
            {hasGroups
              ? '选择左侧的地区分组查看套餐与价格，配置可以自由调整，价格随时可见。'
              : '暂无在售产品，请稍后再来看看。'}
          </p>
        </div>
        <Buttons>
          {hasGroups && (
            <Button tone="primary" onClick={onBrowse}>
              浏览套餐
            </Button>
          )}
          <Button onClick={() => setContact(true)}>{verbs.contactUs}</Button>
        </Buttons>
      </Banner>
      {sections.map(({ title, entries }) => (
        <Card key={title} title={title}>
          <Grid>
            {entries.map(({ icon: Icon, name, text }) => (
              <li key={name}>
                <Icon size={20} strokeWidth={1.75} aria-hidden />
                <div>
                  <b>{name}</b>
                  <small>{text}</small>
                </div>
              </li>
            ))}
          </Grid>
        </Card>
      ))}
      {contact && (
        <Opening onGiveUp={() => setContact(false)}>
          <FooterDialog name="contact" onClose={() => setContact(false)} />
        </Opening>
      )}
    </Stack>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 16px;
`

const Banner = styled.section`
  display: flex;
  align-items: center;
  justify-content: space-between;
  flex-wrap: wrap;
  gap: 16px;
  padding: 28px 24px;
  border-radius: ${radius.dialog};
  background: ${color.primary.tint};

  h2 {
    ${font.lg}
  }

  p {
    margin-top: 4px;
    max-width: 45em;
    color: ${color.text2};
  }

  ${media.phone} {
    padding: 20px 16px;
  }
`

const Buttons = styled.div`
  display: flex;
  gap: 12px;
`

const Grid = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(200px, 1fr));
  gap: 16px;

  li {
    display: flex;
    gap: 12px;
  }

  svg {
    margin-top: 1px;
    color: ${color.primary.brand};
  }

  div {
    display: grid;
  }

  small {
    ${font.xs}
    color: ${color.text3};
  }
`
