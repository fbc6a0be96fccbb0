import { ArrowRight, Quote } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import styled from 'styled-components'
import { paths } from '../../paths'
import { color, font, media, radius, size } from '../../theme/tokens'
import { Button, ButtonLink } from '../../ui/Button'
import { useTitle } from '../../ui/use-title'
import { features, stats, technologies, testimonials } from './content'
import { Hero } from './Hero'

const FooterDialog = lazy(() => import('../../about/FooterDialog'))

/** The marketing page. */
export default function HomePage() {
  useTitle('')
  const [contact, setContact] = useState(false)
  return (
    <>
      <Hero />
      <Section aria-labelledby="features">
        <h2 id="features">为什么选择我们</h2>
        <Lead>从选购到上线的每一步都快，每一分钱都清楚。</Lead>
        <Cards $columns={3}>
          {features.map(({ icon: Icon, title, text }) => (
            <Tile key={title}>
              <Badge>
                <Icon size={22} strokeWidth={1.75} aria-hidden />
              </Badge>
              <h3>{title}</h3>
              <p>{text}</p>
            </Tile>
          ))}
        </Cards>
      </Section>
      <Band id="stats" tabIndex={-1} aria-labelledby="stats-title">
        <Inner>
          <h2 id="stats-title">用数字说话</h2>
          <Stats>
            {stats.map(({ icon: Icon, value, label }) => (
              <li key={label}>
                <Icon size={24} strokeWidth={1.5} aria-hidden />
                <b>{value}</b>
                <span>{label}</span>
              </li>
            ))}
          </Stats>
        </Inner>
      </Band>
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
      <Section aria-labelledby="voices">
        <h2 id="voices">客户怎么说</h2>
        <Cards $columns={3}>
          {testimonials.map(({ name, role, text }) => (
            <Voice key={name}>
              <Quote size={20} strokeWidth={1.75} aria-hidden />
              <blockquote>{text}</blockquote>
              <figcaption>
                <Face aria-hidden>{name[0]}</Face>
                <span>
                  <b>{name}</b>
                  <small>{role}</small>
                </span>
              </figcaption>
            </Voice>
          ))}
        </Cards>
      </Section>
      <Section aria-labelledby="call">
        <Call>
          <h2 id="call">现在开始，7 天免费试用</h2>
          <p>注册账户，选择配置，30 秒后就能登录您的服务器。</p>
          <div>
            <OnHero href={paths.auth()} size="lg">
              免费试用
              <ArrowRight size={16} strokeWidth={1.75} aria-hidden />
            </OnHero>
            <Outline size="lg" onClick={() => setContact(true)}>
              联系销售
            </Outline>
          </div>
        </Call>
      </Section>
      {contact && (
        <Suspense fallback={null}>
          <FooterDialog name="contact" onClose={() => setContact(false)} />
        </Suspense>
      )}
    </>
  )
}

const Section = styled.section`
  max-width: calc(${size.marketing} + 48px);
  margin: 0 auto;
  padding: 72px 24px 0;
  ${font.md}

  &:last-of-type {
    padding-bottom: 72px;
  }

  > h2 {
    ${font.xxl}
    text-align: center;
  }

  ${media.phone} {
    padding: 48px 16px 0;

    &:last-of-type {
      padding-bottom: 48px;
    }

    > h2 {
      ${font.xl}
    }
  }
`

const Lead = styled.p`
  max-width: 36em;
  margin: 8px auto 0;
  text-align: center;
  color: ${color.text2};
`

const Cards = styled.div<{ $columns: number }>`
  display: grid;
  grid-template-columns: repeat(${({ $columns }) => $columns}, 1fr);
  gap: 20px;
  margin-top: 36px;

  ${media.narrow} {
    grid-template-columns: repeat(2, 1fr);
  }

  ${media.phone} {
    grid-template-columns: 1fr;
    gap: 12px;
    margin-top: 24px;
  }
`

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

const Voice = styled.figure`
  display: flex;
  flex-direction: column;
  gap: 12px;
  padding: 24px;
  border-radius: ${radius.dialog};
  background: ${color.surface};

  > svg {
    color: ${color.primary.brand};
  }

  blockquote {
    flex: 1;
    ${font.sm}
  }

  figcaption {
    display: flex;
    align-items: center;
    gap: 12px;
    ${font.sm}

    > span:last-child {
      display: grid;
    }

    small {
      ${font.xs}
      color: ${color.text3};
    }
  }
`

const Face = styled.span`
  display: grid;
  place-items: center;
  width: 40px;
  height: 40px;
  border-radius: 50%;
  background: ${color.secondary.tint};
  color: ${color.secondary.text};
  ${font.md}
  ${font.strong}
`

const Call = styled.div`
  display: grid;
  justify-items: center;
  gap: 8px;
  padding: 56px 24px;
  border-radius: 16px;
  background: linear-gradient(120deg, ${color.heroFrom}, ${color.heroTo});
  color: ${color.onHero};
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

const OnHero = styled(ButtonLink)`
  background: ${color.onHero};
  border-color: transparent;
  color: ${color.heroTo};

  &:hover {
    color: ${color.heroFrom} !important;
  }

  &:focus-visible {
    outline-color: ${color.onHero};
  }
`

const Outline = styled(Button)`
  background: transparent;
  border-color: ${color.onHero};
  color: ${color.onHero};

  &:hover:not(:disabled) {
    background: rgb(255 255 255 / 0.14);
    border-color: ${color.onHero};
    color: ${color.onHero};
  }

  &:focus-visible {
    outline-color: ${color.onHero};
  }
`
