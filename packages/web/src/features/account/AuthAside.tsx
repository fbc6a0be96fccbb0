import { productName } from '@vps/shared/brand'
import * as labels from '@vps/shared/labels'
import styled from 'styled-components'
import { Link } from 'wouter'
import { ServiceDays } from '../../about/ServiceDays'
import { trpc } from '../../api/trpc'
import { paths } from '../../paths'
import { color, font } from '../../theme/tokens'

const points = ['30 秒部署，安装进度实时可见', '验证登录成功才算交付，装不好全额退款', '按小时起售，随时升级与续费']

/** What is sold, and how it did. */
export default function AuthAside() {
  const status = trpc.status.get.useQuery(undefined, { staleTime: 600_000 })
  return (
    <Night>
      <p>{productName}</p>
      <h2>
        选好配置，付款即开通
        <br />
        服务器就该这么简单
      </h2>
      <ul>
        {points.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <div>
        <ServiceDays rows={6} services={status.data?.services} />
        <Link href={paths.status()}>{labels.serviceStatus}</Link>
      </div>
    </Night>
  )
}

const Night = styled.aside`
  display: flex;
  flex-direction: column;
  justify-content: center;
  gap: 24px;
  padding: 48px 64px;
  background: ${color.night};
  color: ${color.onNight};

  h2 {
    ${font.xxl}
  }

  ul {
    display: grid;
    gap: 12px;
    ${font.md}
  }

  /* Each is a cell that is lit. */
  li::before {
    content: '';
    display: inline-block;
    width: 12px;
    height: 12px;
    margin-right: 12px;
    border-radius: 4px;
    background: ${color.lamp};
  }

  div {
    margin-top: 40px;
  }

  a {
    display: inline-flex;
    align-items: center;
    min-height: 32px;
    color: ${color.onNight};
    text-decoration: underline;

    &:focus-visible {
      outline-color: ${color.onNight};
    }
  }
`
