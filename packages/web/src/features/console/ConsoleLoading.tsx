import styled from 'styled-components'
import { media } from '../../theme/tokens'
import { Panel } from '../../ui/Card'
import { Bar, Loading } from '../../ui/states'
import { usePhone } from '../../theme/use-media'

/** As high as what comes. */
const heights = [
  [266, 758],
  [208, 330],
  [226, 612],
] as const

/** The overview before anything is known. */
export function ConsoleLoading() {
  const phone = usePhone()
  return (
    <Loading label="正在加载服务器信息">
      <Bar $width="320px" $height={24} />
      <Stack>
        {heights.map(([desktop, onPhone]) => (
          <Panel as="div" key={desktop} style={{ height: phone ? onPhone : desktop }}>
            <Bar $width="160px" $height={20} />
            <Lines>
              {Array.from({ length: 12 }, (_, i) => (
                <Bar key={i} $width={i % 3 ? '70%' : '90%'} />
              ))}
            </Lines>
          </Panel>
        ))}
      </Stack>
    </Loading>
  )
}

const Stack = styled.div`
  display: grid;
  gap: 16px;
  margin-top: 33px;

  ${media.phone} {
    gap: 12px;
  }
`

const Lines = styled.div`
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));
  gap: 22px 32px;
  margin-top: 28px;
  max-height: calc(100% - 48px);
  overflow: hidden;

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`
