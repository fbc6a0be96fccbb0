import * as verbs from '@vps/shared/verbs'
import styled from 'styled-components'
import { Link } from 'wouter'

/** In a form that nothing can be chosen in: what must be there before, and where it is made. */
export const MakeFirst = ({ what, href }: { what: string; href: string }) => (
  <>
    还没有{what}，请先
    <Underlined href={href}>
      {verbs.create}
      {what}
    </Underlined>
  </>
)

/** In a sentence, colour alone would not tell it. */
const Underlined = styled(Link)`
  text-decoration: underline;
`
