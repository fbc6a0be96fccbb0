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

const words: Record<FirstSaleStep, { does: string; about: string; href: string | null }> = {
  category: { does: '建立分类', about: '商店左侧的目录', href: paths.categories() },
  group: { does: '建立分组', about: '一个地域或机型', href: paths.groups() },
  'price-group': { does: '建立价格组', about: '套餐与各周期的价格', href: paths.priceGroups() },
  image: { does: '登记镜像', about: '客户可以安装的系统', href: paths.images() },
  host: { does: verbs.enrolHost, about: '运行代理，加入分组', href: paths.hosts() },
  addresses: { does: '分配 IP 池', about: '宿主机交给服务器的地址', href: paths.ipPools() },
  gateway: { does: '接通支付网关', about: '环境变量 EPAY_URL 等三项', href: null },
  mail: { does: '接通邮件', about: '环境变量 SMTP_URL', href: null },
  site: { does: '填写网站设置', about: '公司、备案与联系方式', href: paths.settings() },
}

/** What is left to do before it. */
export function FirstSale({ steps }: { steps: NonNullable<OverviewView['firstSale']> }) {
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
                {href ? <Link href={href}>{does}</Link> : does}
                <Dim>{about}</Dim>
              </span>
            </li>
          )
        })}
      </List>
      <Dim>
        {steps.every(({ done }) => done) ? '全部就绪。' : '顺序不限。'}
        第一笔订单之后，这里是每日收支；现在就可以看看<Link href={paths.sales()}>客户看到的产品页</Link>。
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
