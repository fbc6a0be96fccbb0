import { ArrowRight } from 'lucide-react'
import * as labels from '@vps/shared/labels'
import * as verbs from '@vps/shared/verbs'
import styled from 'styled-components'
import { color, font, media } from '../../theme/tokens'
import { paths } from '../../paths'
import { Button, ButtonLink } from '../../ui/Button'
import { Section } from './look'

/** Where to begin, and whom to ask. */
export function CallToAct({ trial, onContact }: { trial: string; onContact: () => void }) {
  return (
    <Section aria-labelledby="call">
      <Call>
        <h2 id="call">现在开始{trial && `，${trial}`}</h2>
        <p>注册账户，选择配置，30 秒后就能登录您的服务器。</p>
        <div>
          <OnNight href={paths.auth()} size="lg">
            {trial ? labels.freeTrial : verbs.register}
            <ArrowRight size={16} strokeWidth={1.75} aria-hidden />
          </OnNight>
          <Outline size="lg" onClick={onContact}>
            联系销售
          </Outline>
        </div>
      </Call>
    </Section>
  )
}

const Call = styled.div`
  display: grid;
  justify-items: center;
  gap: 8px;
  padding: 56px 24px;
  border-radius: 16px;
  background: ${color.night};
  color: ${color.onNight};
  text-align: center;

  h2 {
    ${font.xxl}
  }

  > div {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 12px;
    margin-top: 20px;
  }

  ${media.phone} {
    padding: 40px 16px;

    h2 {
      ${font.xl}
    }

    > div {
      width: 100%;

      > * {
        flex: 1;
      }
    }
  }
`

const OnNight = styled(ButtonLink)`
  background: ${color.onNight};
  border-color: transparent;
  color: ${color.night};

  &&:hover {
    color: ${color.night};
  }

  &:focus-visible {
    outline-color: ${color.onNight};
  }
`

const Outline = styled(Button)`
  background: transparent;
  border-color: ${color.onNight};
  color: ${color.onNight};

  &:hover:not(:disabled) {
    background: rgb(255 255 255 / 0.14);
    border-color: ${color.onNight};
    color: ${color.onNight};
  }

  &:focus-visible {
    outline-color: ${color.onNight};
  }
`
