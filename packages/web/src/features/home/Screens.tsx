import styled from 'styled-components'
import { useTheme } from '../../theme/ThemeProvider'
import { color, media, radius } from '../../theme/tokens'
import { Lead, Section } from './look'

const phone = media.phone.replace('@media ', '')

/** The console, in the page's mode. */
export function Screens() {
  const { mode } = useTheme().palette
  return (
    <Section aria-labelledby="screens">
      <h2 id="screens">一台服务器的一切，一页看完</h2>
      <Lead>下图就是控制台本身：状态、配置、监控、电源与登录方式。</Lead>
      <picture>
        <source media={phone} srcSet={`/console-${mode}-phone.webp`} width={390} height={720} />
        <Picture
          src={`/console-${mode}-desktop.webp`}
          alt="服务器控制台：名称与在线状态、电源和连接按钮、配置、CPU 内存磁盘的实时用量与趋势图"
          width={1200}
          height={800}
          loading="lazy"
          decoding="async"
        />
      </picture>
    </Section>
  )
}

const Picture = styled.img`
  display: block;
  width: 100%;
  height: auto;
  margin-top: 36px;
  border: 1px solid ${color.line};
  border-radius: ${radius.dialog};
`
