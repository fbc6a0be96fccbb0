import styled from 'styled-components'
import { color, font, media, radius } from '../../theme/tokens'

export const Form = styled.form`
  display: grid;
  gap: 18px;

  h1 {
    ${font.xl}
  }

  > header p {
    margin-top: 4px;
    color: ${color.text2};
    overflow-wrap: anywhere;
  }
`

export const Switch = styled.p`
  text-align: center;
  color: ${color.text2};

  button {
    min-height: 32px;
    padding: 0 4px;
    border: 0;
    border-radius: ${radius.control};
    background: transparent;
    color: ${color.primary.text};
    cursor: pointer;

    &:hover {
      text-decoration: underline;
    }
  }

  ${media.phone} {
    button {
      min-height: 44px;
    }
  }
`
