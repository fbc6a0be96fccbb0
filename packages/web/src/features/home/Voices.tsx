import * as labels from '@vps/shared/labels'
import { Quote } from 'lucide-react'
import styled from 'styled-components'
import { color, font, radius } from '../../theme/tokens'
import { testimonials } from './content'
import { Cards, Section } from './look'

/** What customers say. */
export function Voices() {
  return (
    <Section aria-labelledby="voices">
      <h2 id="voices">{labels.voices}</h2>
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
  )
}

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
