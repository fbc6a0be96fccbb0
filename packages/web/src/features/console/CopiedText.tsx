import styled from 'styled-components'
import { Mono } from '../../ui/cells'
import { CopyButton } from '../../ui/CopyButton'

/** With a button that copies it. */
export function CopiedText({ text, what, done = `${what}已复制` }: { text: string; what: string; done?: string }) {
  return (
    <Row>
      <Mono>{text}</Mono>
      <CopyButton text={text} label={`复制${what}`} done={done} />
    </Row>
  )
}

const Row = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 2px;
`
