import { ChevronDown } from 'lucide-react'
import styled from 'styled-components'
import { color, font, radius } from '../../theme/tokens'
import { questions } from './content'
import { Section } from './look'

/** What is asked before buying. */
export function Questions() {
  return (
    <Section aria-labelledby="questions">
      <h2 id="questions">常见问题</h2>
      <List>
        {questions.map(({ question, answer }) => (
          <details key={question}>
            <summary>
              {question}
              <ChevronDown size={18} strokeWidth={1.75} aria-hidden />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </List>
    </Section>
  )
}

const List = styled.div`
  max-width: 800px;
  margin: 32px auto 0;
  border: 1px solid ${color.line};
  border-radius: ${radius.dialog};
  background: ${color.page};

  details + details {
    border-top: 1px solid ${color.line};
  }

  summary {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 16px;
    min-height: 56px;
    padding: 12px 20px;
    cursor: pointer;
    list-style: none;
    ${font.md}
    ${font.strong}
  }

  summary::-webkit-details-marker {
    display: none;
  }

  svg {
    flex: none;
    color: ${color.text3};
  }

  details[open] svg {
    transform: rotate(180deg);
  }

  p {
    padding: 0 20px 20px;
    color: ${color.text2};
    ${font.sm}
  }
`
