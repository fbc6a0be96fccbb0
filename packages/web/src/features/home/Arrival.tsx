import styled, { keyframes } from 'styled-components'
import { color, font, media, motion, radius } from '../../theme/tokens'

const steps = ['镜像校验', '磁盘就绪', '配置写入', '系统启动', '登录验证']

/** What happens after paying, a cell each. */
export function Arrival() {
  return (
    <Rack>
      <h2>付款之后</h2>
      <ol>
        {steps.map((step, n) => (
          <li key={step}>
            <Cell style={{ animationDelay: `${n * 300}ms` }} aria-hidden />
            {step}
          </li>
        ))}
      </ol>
      <p>五格全亮，才算交付：我们用您的密码登录成功过。装不好，全额退款。</p>
    </Rack>
  )
}

const light = keyframes`
  from { opacity: 0; }
`

const Rack = styled.div`
  padding: 28px;
  border: 1px solid ${color.unlit};
  border-radius: ${radius.dialog};

  h2 {
    ${font.lg}
  }

  ol {
    display: grid;
    grid-template-columns: repeat(5, minmax(0, 1fr));
    gap: 8px;
    margin: 20px 0;
  }

  li {
    display: grid;
    gap: 8px;
    text-align: center;
    ${font.sm}
  }

  p {
    color: ${color.onNight2};
  }

  ${media.phone} {
    padding: 20px 16px;

    li {
      ${font.xs}
    }
  }
`

const Cell = styled.i`
  height: 72px;
  border-radius: ${radius.card};
  background: ${color.unlit};
  overflow: hidden;

  &::after {
    content: '';
    display: block;
    height: 100%;
    background: ${color.lamp};
    animation: ${light} ${motion.arrival} backwards;
    animation-delay: inherit;
  }

  ${media.phone} {
    height: 56px;
  }

  @media (prefers-reduced-motion: reduce) {
    &::after {
      animation: none;
    }
  }
`
