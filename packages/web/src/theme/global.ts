import { createGlobalStyle } from 'styled-components'
import type { Palette } from './palette'
import { backdropClass, color, focusRing, font, shadow, styleOf } from './tokens'

export const GlobalStyle = createGlobalStyle<{ $palette: Palette }>`
  :root {
    ${({ $palette }) => styleOf($palette)};
  }

  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  html {
    -webkit-text-size-adjust: 100%;
    text-autospace: normal;
    scrollbar-gutter: stable;
    scroll-padding-top: 72px;
    /* Over the colour that theme.js has written on the element: the mode may have changed since. */
    background: ${color.page} !important;
  }

  /* The scrollbar's place is no part of the window that a backdrop covers: there the root itself shows what it would be then. */
  html:has(.${backdropClass}) {
    background: ${shadow.dimmed} !important;
  }

  body {
    margin: 0;
    min-height: 100dvh;
    background: ${color.page};
    color: ${color.text};
    font-family: ${font.family.text};
    ${font.sm}
    -webkit-font-smoothing: antialiased;
  }

  h1, h2, h3, h4, p, ul, ol, dl, dd, figure, fieldset, blockquote {
    margin: 0;
    padding: 0;
  }

  p, blockquote {
    text-wrap: pretty;
  }

  h1, h2, h3, h4, b, strong, th {
    font-weight: 600;
  }

  ul, ol {
    list-style: none;
  }

  fieldset {
    border: 0;
    min-width: 0;
  }

  button, input, select, textarea {
    font: inherit;
    color: inherit;
  }

  a {
    color: ${color.primary.text};
    text-decoration: none;

    &:hover {
      text-decoration: underline;
    }
  }

  :focus-visible {
    ${focusRing}
    border-radius: 6px;
  }

  ::placeholder {
    color: ${color.text3};
    opacity: 1;
  }

  ::selection {
    background: ${color.primary.tint};
  }

  svg {
    flex: none;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`
