import styled from 'styled-components'
import { Tag } from './Chip'
import { heardOnly } from './heard-only'

const most = 99

/** How many wait. */
export function Waiting({ count }: { count: number }) {
  return (
    <Tag $tone="warning">
      {count > most ? `${most}+` : count}
      <Heard> 项待处理</Heard>
    </Tag>
  )
}

const Heard = styled.span`
  ${heardOnly}
`
