import { formatYuan, type Fen } from '@vps/shared/money'
import { introduction, points, promises, slogan } from '@vps/shared/opening'
import type { SiteSettings } from '@vps/shared/site'
import * as verbs from '@vps/shared/verbs'
import { Check } from 'lucide-react'
import styled from 'styled-components'
import { paths } from '../../paths'
import { color, font, media, radius, size } from '../../theme/tokens'
import { Button, ButtonLink } from '../../ui/Button'
import { Arrival } from './Arrival'

/** What it is, and two ways on. */
export function Hero({
  site,
  from,
  onStart,
}: {
  site: SiteSettings | undefined
  from: Fen | undefined
  onStart: () => void
}) {
  const claims = site ?? { trial: '', availability: '' }
  return (
    <Ground>
      <Inner>
        <Words>
          <Eyebrow>{promises(claims)}</Eyebrow>
          <h1>
            {slogan[0]}
            <br />
            {slogan[1]}
          </h1>
          <p>{introduction(claims)}</p>
          {from !== undefined && (
            <From>
              低至 <b>{formatYuan(from)}</b> / 月
            </From>
          )}
          <Actions>
            <Start tone="primary" size="lg" onClick={onStart}>
              {verbs.begin}
            </Start>
            <More size="lg" href={paths.sales()}>
              {verbs.viewProducts}
            </More>
          </Actions>
          <Points>
            {points.map((point) => (
              <li key={point}>
                <Check size={16} strokeWidth={2} aria-hidden />
                {point}
              </li>
            ))}
          </Points>
        </Words>
        <Arrival />
      </Inner>
    </Ground>
  )
}

const Ground = styled.section`
  background: ${color.night};
  color: ${color.onNight};
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
  border: 1px solid ${color.onNight2};
  border-radius: ${radius.pill};
  ${font.sm}

  ${media.phone} {
    ${font.xs}
  }
`

const From = styled.p`
  margin-top: 16px;

  b {
    ${font.xl}
    ${font.numbers}
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
  background: ${color.onNight};
  color: ${color.night};

  &:hover:not(:disabled) {
    background: rgb(255 255 255 / 0.92);
  }

  &:focus-visible {
    outline-color: ${color.onNight};
  }
`

const More = styled(ButtonLink)`
  background: transparent;
  border-color: ${color.onNight};
  color: ${color.onNight};

  &&:hover {
    background: rgb(255 255 255 / 0.14);
    border-color: ${color.onNight};
    color: ${color.onNight};
  }

  &:focus-visible {
    outline-color: ${color.onNight};
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
