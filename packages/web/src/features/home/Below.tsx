import type { Plan } from '@vps/shared/plans'
import { placesOf } from '@vps/shared/places'
import type { SiteSettings } from '@vps/shared/site'
import type { FiguresView } from '@vps/shared/status.contract'
import { lazy, useEffect, useState } from 'react'
import styled from 'styled-components'
import { Link } from 'wouter'
import { paths } from '../../paths'
import { color, font, media, radius, size } from '../../theme/tokens'
import { CallToAct } from './CallToAct'
import { featuresOf, statsOf, technologies } from './content'
import { Cards, Lead, Section } from './look'
import { Places } from './Places'
import { Questions } from './Questions'
import { Screens } from './Screens'
import { Uses } from './Uses'
import { Voices } from './Voices'
import { Opening } from '../../ui/Opening'

const FooterDialog = lazy(() => import('../../about/FooterDialog'))

type Read = { site: SiteSettings | undefined; plans: Plan[]; figures: FiguresView | undefined }

/** Goes to the figures whenever `asked` changes. */
export default function Below({ site, plans, figures, asked }: Read & { asked: number }) {
  const places = placesOf(site?.places ?? '')
  const [contact, setContact] = useState(false)
  useEffect(() => {
    if (asked > 0) goToFigures()
  }, [asked])
  return (
    <>
      <Screens />
      {places.length > 0 && <Places places={places} />}
      {site && <Reasons site={site} figures={figures} />}
      {site && <Figures site={site} figures={figures} />}
      <Uses plans={plans} />
      <Technology />
      {site?.voices && <Voices />}
      <Questions />
      <CallToAct trial={site?.trial ?? ''} onContact={() => setContact(true)} />
      {contact && (
        <Opening onGiveUp={() => setContact(false)}>
          <FooterDialog name="contact" onClose={() => setContact(false)} />
        </Opening>
      )}
    </>
  )
}

function goToFigures() {
  const figures = document.getElementById('stats')
  figures?.scrollIntoView({ behavior: 'smooth' })
  figures?.focus({ preventScroll: true })
}

type Told = { site: SiteSettings; figures: FiguresView | undefined }

function Reasons({ site, figures }: Told) {
  return (
    <Section aria-labelledby="features">
      <h2 id="features">为什么选择我们</h2>
      <Lead>从选购到上线的每一步都快，每一分钱都清楚。</Lead>
      <Cards $columns={3}>
        {featuresOf(site, figures).map(({ icon: Icon, title, text, measured }) => (
          <Tile key={title}>
            <Badge>
              <Icon size={22} strokeWidth={1.75} aria-hidden />
            </Badge>
            <h3>{title}</h3>
            <p>
              {text}
              {measured && <Measured>{measured}</Measured>}
            </p>
          </Tile>
        ))}
      </Cards>
    </Section>
  )
}

function Figures({ site, figures }: Told) {
  return (
    <Band id="stats" tabIndex={-1} aria-labelledby="stats-title">
      <Inner>
        <h2 id="stats-title">用数字说话</h2>
        <Stats>
          {statsOf(site, figures).map(({ icon: Icon, value, label, measured }) => (
            <li key={label}>
              <Icon size={24} strokeWidth={1.5} aria-hidden />
              <b>{value}</b>
              <span>{label}</span>
              {measured && <Link href={paths.status()}>{measured}</Link>}
            </li>
          ))}
        </Stats>
      </Inner>
    </Band>
  )
}

function Technology() {
  return (
    <Section aria-labelledby="technology">
      <h2 id="technology">可靠的技术基础</h2>
      <Lead>成熟的开源虚拟化技术，加上为运维设计的控制台。</Lead>
      <Cards $columns={4}>
        {technologies.map(({ icon: Icon, title, text }) => (
          <Plain key={title}>
            <Icon size={28} strokeWidth={1.5} aria-hidden />
            <h3>{title}</h3>
            <p>{text}</p>
          </Plain>
        ))}
      </Cards>
    </Section>
  )
}

const Tile = styled.article`
  padding: 28px 24px;
  border: 1px solid ${color.line};
  border-radius: ${radius.dialog};
  background: ${color.page};

  h3 {
    margin: 16px 0 4px;
    ${font.lg}
  }

  p {
    color: ${color.text2};
    ${font.sm}
  }

  ${media.phone} {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0 16px;
    padding: 16px;

    h3 {
      margin: 0;
      align-self: center;
      ${font.md}
    }

    p {
      grid-column: 2;
    }
  }
`

const Badge = styled.div`
  display: grid;
  place-items: center;
  width: 44px;
  height: 44px;
  border-radius: ${radius.dialog};
  background: ${color.primary.tint};
  color: ${color.primary.text};
`

const Band = styled.section`
  margin-top: 72px;
  background: ${color.surface};
  border-block: 1px solid ${color.line};
  outline: none !important;

  h2 {
    ${font.xxl}
    text-align: center;
  }

  ${media.phone} {
    margin-top: 48px;

    h2 {
      ${font.xl}
    }
  }
`

const Inner = styled.div`
  max-width: calc(${size.marketing} + 48px);
  margin: 0 auto;
  padding: 56px 24px;

  ${media.phone} {
    padding: 40px 16px;
  }
`

const Stats = styled.ul`
  display: grid;
  grid-template-columns: repeat(4, 1fr);
  gap: 20px;
  margin-top: 32px;

  li {
    display: grid;
    align-content: start;
    justify-items: center;
    gap: 2px;
    padding: 28px 16px;
    border: 1px solid ${color.line};
    border-radius: ${radius.dialog};
    background: ${color.page};
  }

  svg {
    color: ${color.primary.brand};
  }

  b {
    margin-top: 8px;
    ${font.xxl}
    ${font.numbers}
  }

  span {
    color: ${color.text2};
  }

  a {
    display: inline-flex;
    align-items: center;
    min-height: 24px;
    ${font.xs}
    ${font.numbers}
    color: ${color.success.text};

    ${media.phone} {
      min-height: 44px;
    }
  }

  ${media.phone} {
    grid-template-columns: 1fr 1fr;
    gap: 12px;

    li {
      padding: 20px 8px;
    }

    b {
      ${font.xl}
    }
  }
`

const Measured = styled.small`
  display: block;
  margin-top: 4px;
  ${font.xs}
  ${font.numbers}
  color: ${color.success.text};
`

const Plain = styled.article`
  padding: 8px 4px;

  svg {
    color: ${color.primary.brand};
  }

  h3 {
    margin: 12px 0 4px;
    ${font.md}
  }

  p {
    color: ${color.text2};
    ${font.sm}
  }
`
