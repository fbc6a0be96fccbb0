import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import type { FirstSaleStep } from '@vps/shared/first-sale'
import type { OverviewView } from '@vps/shared/overview.contract'
import { Circle, CircleCheck } from 'lucide-react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { paths } from '../../../paths'
import { color, media } from '../../../theme/tokens'
import { Dim } from '../../../ui/Time'

const words: Record<FirstSaleStep, { does: string; about: string; href: string }> = {
  category: { does: '建立分类', about: '商店左侧的目录', href: paths.categories() },
  group: { does: '建立分组', about: '一个地域或机型', href: paths.groups() },
  'price-group': { does: '建立价格组', about: '套餐与各周期的价格', href: paths.priceGroups() },
  image: { does: '登记镜像', about: '客户可以安装的系统', href: paths.images() },
  addresses: { does: '建立 IP 池', about: '服务器的地址从这里分配', href: paths.ipPools() },
  host: { does: verbs.enrolHost, about: '选择分组与 IP 池，运行代理', href: paths.hosts() },
  gateway: { does: '接通支付网关', about: '环境变量 EPAY_URL 等三项，再充值 ¥1 试一次', href: paths.recharge(1) },
  mail: { does: '接通邮件', about: '环境变量 SMTP_URL，没有送达时原因见发现项页', href: paths.findings() },
  site: { does: '填写网站设置', about: '公司、备案、联系方式，核对首页宣传', href: paths.settings() },
}

/** What is left to do before it; with all done and nothing to be bought, where that is explained. */
export function FirstSale({ steps, sells }: { steps: NonNullable<OverviewView['firstSale']>; sells: boolean }) {
  const isReady = steps.every(({ done }) => done)
  return (
    <>
      <List>
        {steps.map(({ step, done }) => {
          const { does, about, href } = words[step]
          const Mark = done ? CircleCheck : Circle
          return (
            <li key={step} data-done={done}>
              <Mark size={20} strokeWidth={1.75} role="img" aria-label={done ? states.done : '未完成'} />
              <span>
                <Link href={href}>{does}</Link>
                <Dim>{about}</Dim>
              </span>
            </li>
          )
        })}
      </List>
      <Dim>
        {!isReady ? '按此顺序最省事。' : sells ? '全部就绪。' : '还没有分组可以购买，原因见「各分组剩余容量」。'}
        第一笔订单之后，这里是收支；现在就可以看看<Link href={paths.sales()}>客户看到的产品页</Link>。
      </Dim>
    </>
  )
}

const List = styled.ol`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 20px 16px;
  margin: 8px 0 24px;

  li {
    position: relative;
    display: flex;
    gap: 10px;
    color: ${color.text2};
  }

  li[data-done='true'] {
    color: ${color.success.text};
  }

  li > span {
    display: grid;
    align-content: start;
    gap: 2px;
    color: ${color.text};
  }

  /* The whole step leads there. */
  a::after {
    content: '';
    position: absolute;
    inset: 0;
  }

  li > svg {
    flex: none;
    margin-top: 2px;
  }

  ${media.narrow} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
    gap: 14px;
  }
`
