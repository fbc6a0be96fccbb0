import styled from 'styled-components'
import { Mono } from './cells'
import { CopyButton } from './CopyButton'

/** In a list, `of` says whose it is. */
export function CopiedText({
  text,
  what,
  of = '',
  done = `${what}已复制`,
}: {
  text: string
  what: string
  of?: string
  done?: string
}) {
  return (
    <Row>
      <Mono>{text}</Mono>
      <CopyButton text={text} label={of ? `复制 ${of} 的${what}` : `复制${what}`} done={done} />
    </Row>
  )
}

const Row = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 2px;
`
