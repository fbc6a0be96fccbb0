import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import { graceHours } from '@vps/shared/deadlines'
import type { SiteSettings } from '@vps/shared/site'
import { Check, MapPin } from 'lucide-react'
import styled from 'styled-components'
import { paths } from '../../paths'
import { color, font, media, radius, shadow, size } from '../../theme/tokens'
import { Button, ButtonLink } from '../../ui/Button'
import { Chip } from '../../ui/Chip'
import { Ring } from '../../ui/Ring'

/** First screen: what it is, two ways on, and a look at the console. */
export function Hero({ site }: { site: SiteSettings | undefined }) {
  return (
    <Ground>
      <Inner>
        <Words>
          <Eyebrow>30 秒部署 · 按小时起售{site?.trial && ` · ${site.trial}`}</Eyebrow>
          <h1>
            稳定快速的云服务器，
            <br />
            即开即用
          </h1>
          <p>
            选好配置，付款即开通。安装进度实时可见，运行状态一目了然
            {site?.availability && `，${site.availability} 可用性由 7x24 团队守护`}。
          </p>
          <Actions>
            <Start tone="primary" size="lg" onClick={toStats}>
              立即开始
            </Start>
            <More size="lg" href={paths.sales()}>
              {verbs.viewProducts}
            </More>
          </Actions>
          <Points>
            {['无需押金', '随时升级', `到期数据保留 ${graceHours} 小时`].map((point) => (
              <li key={point}>
                <Check size={16} strokeWidth={2} aria-hidden />
                {point}
              </li>
            ))}
          </Points>
        </Words>
        <Preview />
      </Inner>
    </Ground>
  )
}

function toStats() {
  const stats = document.getElementById('stats')
  stats?.scrollIntoView({ behavior: 'smooth' })
  stats?.focus({ preventScroll: true })
}

/** Made of the console's own parts. */
function Preview() {
  return (
    <Frame aria-hidden inert>
      <Top>
        <div>
          <b>上海-精选型-8F2K7A</b>
          <small>
            <MapPin size={12} strokeWidth={1.75} /> 华东 · 上海 · 203.0.113.24
          </small>
        </div>
        <Chip tone="success">{states.online}</Chip>
      </Top>
      <Rings>
        <Ring percent={32} label="CPU" side={88} />
        <Ring percent={64} label={labels.memory} side={88} level="warning" />
        <Ring percent={41} label={labels.disk} side={88} />
      </Rings>
      <Spark viewBox="0 0 320 72" preserveAspectRatio="none">
        <path
          d="M0 54 C20 50 28 30 46 34 S74 58 92 50 S122 22 142 28 S170 52 190 44 S220 16 242 22 S272 46 292 36 S312 28 320 24 V72 H0Z"
          fill={color.primary.tint}
        />
        <path
          d="M0 54 C20 50 28 30 46 34 S74 58 92 50 S122 22 142 28 S170 52 190 44 S220 16 242 22 S272 46 292 36 S312 28 320 24"
          fill="none"
          stroke={color.primary.brand}
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      </Spark>
      <Steps>
        {['分配资源', '准备系统盘', verbs.start, '登录验证'].map((step) => (
          <li key={step}>
            <i>
              <Check size={12} strokeWidth={3} />
            </i>
            {step}
          </li>
        ))}
        <li>
          <b>28 秒</b>
        </li>
      </Steps>
    </Frame>
  )
}

const Ground = styled.section`
  background: linear-gradient(120deg, ${color.heroFrom}, ${color.heroTo});
  color: ${color.onHero};
  overflow: hidden;
`

const Inner = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1.1fr) minmax(0, 0.9fr);
  align-items: center;
  gap: 64px;
  max-width: calc(${size.marketing} + 48px);
  margin: 0 auto;
  padding: 88px 24px;

  ${media.narrow} {
    grid-template-columns: 1fr;
    gap: 40px;
    padding: 64px 24px;
  }

  ${media.phone} {
    gap: 32px;
    padding: 40px 16px;
  }
`

const Words = styled.div`
  ${font.md}

  h1 {
    ${font.xxxl}
    text-wrap: balance;
  }

  > p:not(:first-child) {
    max-width: 34em;
    margin-top: 16px;
  }

  ${media.phone} {
    h1 {
      font-size: 30px;
      line-height: 40px;
    }
  }
`

const Eyebrow = styled.p`
  display: inline-block;
  margin-bottom: 20px;
  padding: 3px 14px;
  border: 1px solid rgb(255 255 255 / 0.5);
  border-radius: ${radius.pill};
  ${font.sm}

  ${media.phone} {
    ${font.xs}
  }
`

const Actions = styled.div`
  display: flex;
  gap: 12px;
  margin-top: 32px;

  > * {
    min-width: 136px;
  }

  ${media.phone} {
    > * {
      flex: 1;
      min-width: 0;
    }
  }
`

const Start = styled(Button)`
  background: ${color.onHero};
  color: ${color.heroTo};

  &:hover:not(:disabled) {
    background: rgb(255 255 255 / 0.92);
  }

  &:focus-visible {
    outline-color: ${color.onHero};
  }
`

const More = styled(ButtonLink)`
  background: transparent;
  border-color: ${color.onHero};
  color: ${color.onHero};

  &&:hover {
    background: rgb(255 255 255 / 0.14);
    border-color: ${color.onHero};
    color: ${color.onHero};
  }

  &:focus-visible {
    outline-color: ${color.onHero};
  }
`

const Points = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: 4px 24px;
  margin-top: 24px;
  ${font.sm}

  li {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
`

const Frame = styled.div`
  padding: 24px;
  border-radius: 16px;
  background: ${color.page};
  color: ${color.text};
  box-shadow: ${shadow.dialog};

  ${media.phone} {
    padding: 16px;
  }
`

const Top = styled.div`
  display: flex;
  align-items: flex-start;
  justify-content: space-between;
  gap: 12px;

  > div {
    display: grid;
  }

  small {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    ${font.xs}
    ${font.numbers}
    color: ${color.text3};
  }
`

const Rings = styled.div`
  display: grid;
  grid-template-columns: repeat(3, 1fr);
  margin: 24px 0 16px;
`

const Spark = styled.svg`
  display: block;
  width: 100%;
  height: 72px;
`

const Steps = styled.ul`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 8px 12px;
  margin-top: 16px;
  padding-top: 16px;
  border-top: 1px solid ${color.line};
  ${font.xs}
  color: ${color.text2};

  li {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }

  i {
    display: grid;
    place-items: center;
    width: 18px;
    height: 18px;
    border-radius: 50%;
    background: ${color.success.tint};
    color: ${color.success.text};
  }
`
