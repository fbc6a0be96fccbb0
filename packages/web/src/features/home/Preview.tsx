import * as labels from '@vps/shared/labels'
import * as states from '@vps/shared/states'
import * as verbs from '@vps/shared/verbs'
import { Check, MapPin } from 'lucide-react'
import styled from 'styled-components'
import { color, font, media, shadow } from '../../theme/tokens'
import { Chip } from '../../ui/Chip'
import { Ring } from '../../ui/Ring'

/** Made of the console's own parts. */
export function Preview() {
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
