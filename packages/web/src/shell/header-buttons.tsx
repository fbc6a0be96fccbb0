/** Apart, so that a menu loaded later can use them. */
import { ChevronDown, UserRound } from 'lucide-react'
import type { ComponentProps } from 'react'
import styled, { css } from 'styled-components'
import { color, font, media, motion, radius } from '../theme/tokens'

/** For a group of entries. */
export function GroupButton({
  label,
  current,
  children,
  ...rest
}: ComponentProps<'button'> & { label: string; current: boolean }) {
  return (
    <NavButton type="button" {...rest} aria-current={current || undefined}>
      {label}
      {children}
      <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
    </NavButton>
  )
}

/** The signed-in person's. */
export function UserButton({ name, ...rest }: ComponentProps<'button'> & { name: string }) {
  return (
    <Person type="button" {...rest} aria-label={`用户菜单 ${name}`}>
      <Avatar aria-hidden data-letter={name.slice(0, 1).toUpperCase()}>
        {name ? null : <UserRound size={16} />}
      </Avatar>
      <span>{name}</span>
      <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
    </Person>
  )
}

export const navLook = css`
  display: inline-flex;
  align-items: center;
  gap: 4px;
  height: 36px;
  padding: 0 12px;
  border: 0;
  border-radius: ${radius.control};
  background: transparent;
  color: ${color.text2};
  ${font.sm}
  white-space: nowrap;
  cursor: pointer;
  transition: background-color ${motion.state};

  &:hover {
    background: ${color.surface};
    color: ${color.text};
    text-decoration: none;
  }

  &[aria-current] {
    background: ${color.primary.tint};
    color: ${color.primary.text};
  }
`

const NavButton = styled.button`
  ${navLook}
`

const Person = styled.button`
  display: inline-flex;
  align-items: center;
  gap: 8px;
  height: 40px;
  padding: 0 8px 0 4px;
  border: 0;
  border-radius: ${radius.pill};
  background: transparent;
  color: ${color.text};
  ${font.sm}
  cursor: pointer;

  > span {
    max-width: 140px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  &:hover {
    background: ${color.surface};
  }

  ${media.phone} {
    min-height: 44px;
    min-width: 44px;
    padding: 0 6px;

    > span:not([aria-hidden]),
    > svg {
      display: none;
    }
  }
`

const Avatar = styled.span`
  /* Drawn, not written: the button is called by the name beside it. */
  &::before {
    content: attr(data-letter);
  }

  display: grid;
  place-items: center;
  width: 32px;
  height: 32px;
  border-radius: 50%;
  background: ${color.primary.fill};
  color: ${color.primary.onFill};
  ${font.sm}
  ${font.strong}
`
