import styled from 'styled-components'
import { size } from '../theme/tokens'
import { Bar, Loading } from '../ui/states'

/** While a page's code is on its way. */
export function PageLoading() {
  return (
    <Frame>
      <Loading label="正在加载页面">
        <Bar $width="180px" $height={24} />
      </Loading>
    </Frame>
  )
}

const Frame = styled.div`
  width: 100%;
  max-width: calc(${size.console} + 48px);
  min-height: 60vh;
  margin: 0 auto;
  padding: 28px 24px;
`
