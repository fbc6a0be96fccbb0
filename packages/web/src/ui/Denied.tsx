import * as verbs from '@vps/shared/verbs'
import { paths } from '../paths'
import { ButtonLink } from './Button'
import { LitCode } from './LitCode'
import { Notice } from './Notice'

/** Why the page is refused, and two ways on. */
export function Denied({ reason }: { reason: string }) {
  return (
    <Notice picture={<LitCode code="403" />} title="访问被拒绝" text={<span role="alert">{reason}</span>}>
      <ButtonLink tone="primary" href={paths.dashboard()}>
        返回控制台
      </ButtonLink>
      <ButtonLink href={paths.home()}>{verbs.goHome}</ButtonLink>
    </Notice>
  )
}
