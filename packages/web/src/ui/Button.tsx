import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import styled, { css } from 'styled-components'
import { Link } from 'wouter'
import { color, font, media, motion, radius, unprinted } from '../theme/tokens'
import { Spinner } from './Spinner'

type Tone = 'primary' | 'plain' | 'quiet' | 'danger'
type Size = 'sm' | 'md' | 'lg'

interface Look {
  tone?: Tone
  size?: Size
  wide?: boolean
  icon?: ReactNode
}

export type ButtonProps = ComponentProps<'button'> & Look & { busy?: boolean | undefined; busyLabel?: string }

/** `busy` does not disable: that loses the focus, and with it Escape in a dialog. */
export function Button({
  tone = 'plain',
  size = 'md',
  wide = false,
  icon,
  busy,
  busyLabel,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <Plain
      type="button"
      {...rest}
      {...(busy ? { 'aria-busy': true, 'aria-disabled': true } : {})}
      $tone={tone}
      $size={size}
      $wide={wide}
      onClick={busy ? ignore : onClick}
      {...(rest.type === 'submit' ? { onMouseDown: ignore } : {})}
    >
      {busy ? <Spinner /> : icon}
      {busy && busyLabel ? busyLabel : children}
    </Plain>
  )
}

/**
 * On click: no form is sent twice. On press of a submitting button: the focus stays in the field, whose fault, shown on
 * blur, would move the button away.
 */
const ignore = (event: MouseEvent) => event.preventDefault()

/** A link that looks like a button. */
export function ButtonLink({
  tone = 'plain',
  size = 'md',
  wide = false,
  icon,
  children,
  href,
  ...rest
}: Omit<ComponentProps<'a'>, 'href'> & Look & { href: string }) {
  return (
    <PlainLink {...rest} href={href} $tone={tone} $size={size} $wide={wide}>
      {icon}
      {children}
    </PlainLink>
  )
}

/** A picture's name, which is also its tooltip: said once, as it has no description. */
export const named = (label: string) => ({ 'aria-label': label, title: label, 'aria-description': '' })

/** Its label is also its tooltip. */
export function IconButton({ label, size = 'md', ...rest }: ComponentProps<'button'> & { label: string; size?: Size }) {
  return <PlainIcon type="button" {...rest} $size={size} {...named(label)} />
}

const tones = {
  primary: css`
    background: ${color.primary.fill};
    color: ${color.primary.onFill};
    &:hover:not(:disabled, [aria-disabled='true']) {
      background: ${color.primary.fillHover};
    }
  `,
  danger: css`
    background: ${color.error.fill};
    color: ${color.error.onFill};
    &:hover:not(:disabled, [aria-disabled='true']) {
      background: ${color.error.fillHover};
    }
  `,
  plain: css`
    background: ${color.page};
    color: ${color.text};
    border-color: ${color.fieldLine};
    &:hover:not(:disabled, [aria-disabled='true']) {
      border-color: ${color.primary.text};
      color: ${color.primary.text};
    }
  `,
  quiet: css`
    background: transparent;
    color: ${color.primary.text};
    &:hover:not(:disabled, [aria-disabled='true']) {
      background: ${color.primary.tint};
    }
  `,
}

const sizes = {
  sm: css`
    height: 28px;
    padding: 0 10px;
    gap: 6px;
  `,
  md: css`
    height: 36px;
    padding: 0 14px;
  `,
  lg: css`
    height: 44px;
    padding: 0 20px;
    ${font.md}
  `,
}

interface Shown {
  $tone: Tone
  $size: Size
  $wide: boolean
}

const look = css<Shown>`
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 8px;
  ${font.sm}
  border: 1px solid transparent;
  border-radius: ${radius.control};
  cursor: pointer;
  white-space: nowrap;
  text-decoration: none;
  -webkit-user-select: none;
  user-select: none;
  transition:
    background-color ${motion.state},
    border-color ${motion.state},
    color ${motion.state};
  ${({ $size }) => sizes[$size]}
  ${({ $tone }) => tones[$tone]}
  ${({ $wide }) => $wide && 'width: 100%;'}

  &:hover {
    text-decoration: none;
  }

  &:disabled,
  &[aria-disabled='true'] {
    cursor: not-allowed;
    color: ${color.disabled};
    border-color: ${({ $tone }) => ($tone === 'quiet' ? 'transparent' : color.line)};
    background: ${({ $tone }) => ($tone === 'quiet' ? 'transparent' : color.surface)};
  }

  &[aria-busy='true'] {
    cursor: progress;
    color: ${color.text2};
  }

  ${media.phone} {
    min-height: 44px;
  }

  ${unprinted}
`

const Plain = styled.button<Shown>`
  ${look}
`

const PlainLink = styled(Link)<Shown>`
  ${look}
`

/** An icon that leads somewhere. */
export function IconLink({ label, href, children }: { label: string; href: string; children: ReactNode }) {
  return (
    <IconAnchor href={href} $size="md" {...named(label)}>
      {children}
    </IconAnchor>
  )
}

const iconSide = { sm: '28px', md: '36px', lg: '44px' }

const iconLook = css<{ $size: Size }>`
  position: relative;
  display: inline-grid;
  place-items: center;
  width: ${({ $size }) => iconSide[$size]};
  height: ${({ $size }) => iconSide[$size]};
  padding: 0;
  border: 0;
  border-radius: ${radius.control};
  background: transparent;
  color: ${color.text2};
  cursor: pointer;
  transition: background-color ${motion.state};

  &:hover:not(:disabled) {
    background: ${color.surface};
    color: ${color.text};
  }

  &:disabled {
    color: ${color.disabled};
    cursor: not-allowed;
  }

  ${media.phone} {
    min-width: 44px;
    min-height: 44px;
  }

  ${unprinted}
`

const PlainIcon = styled.button<{ $size: Size }>`
  ${iconLook}
`

const IconAnchor = styled(Link)<{ $size: Size }>`
  ${iconLook}
`
