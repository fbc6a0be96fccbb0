import { Compass } from 'lucide-react'
import { paths } from '../paths'
import { ButtonLink } from '../ui/Button'
import { Notice } from '../ui/Notice'

/** 404. */
export function NotFound() {
  return (
    <Notice icon={Compass} title="页面不存在" text="您访问的地址不存在，或者页面已经移动。">
      <ButtonLink tone="primary" href={paths.home()}>
        返回首页
      </ButtonLink>
      <ButtonLink href={paths.sales()}>查看产品</ButtonLink>
    </Notice>
  )
}
