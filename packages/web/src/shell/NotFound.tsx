import * as verbs from '@vps/shared/verbs'
import * as text from '@vps/shared/text'
import { paths } from '../paths'
import { ButtonLink } from '../ui/Button'
import { LitCode } from '../ui/LitCode'
import { Notice } from '../ui/Notice'

/** 404. */
export default function NotFound() {
  return (
    <Notice picture={<LitCode code="404" />} title={text.noSuchPage} text="您访问的地址不存在，或者页面已经移动。">
      <ButtonLink tone="primary" href={paths.home()}>
        {verbs.goHome}
      </ButtonLink>
      <ButtonLink href={paths.sales()}>{verbs.viewProducts}</ButtonLink>
    </Notice>
  )
}
