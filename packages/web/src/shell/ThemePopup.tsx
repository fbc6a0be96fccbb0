import * as labels from '@vps/shared/labels'
import { Check, Monitor, Moon, Sun } from 'lucide-react'
import type { RefObject } from 'react'
import { Dialog, Heading, Popover } from 'react-aria-components'
import styled from 'styled-components'
import { themeModes, useTheme, type ThemeMode } from '../theme/ThemeProvider'
import { presetNames, presets } from '../theme/presets'
import { color, font, media, radius, shadow } from '../theme/tokens'
import { chosenCard, coveringInput } from '../ui/radio-looks'

const modes: Record<ThemeMode, { label: string; icon: typeof Sun }> = {
  light: { label: '浅色', icon: Sun },
  dark: { label: '深色', icon: Moon },
  auto: { label: '跟随系统', icon: Monitor },
}

/** The mode, and one of ten presets. */
export default function ThemePopup({
  anchor,
  onClose,
}: {
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
}) {
  const theme = useTheme()
  return (
    <Layer triggerRef={anchor} isOpen onOpenChange={(open) => !open && onClose()} placement="bottom end" offset={8}>
      <Inner>
        <Heading slot="title" level={2}>
          {labels.themeSettings}
        </Heading>
        <fieldset>
          <legend>显示模式</legend>
          <Modes>
            {themeModes.map((mode) => {
              const { label, icon: Icon } = modes[mode]
              return (
                <Choice key={mode}>
                  <input
                    type="radio"
                    name="theme-mode"
                    checked={theme.mode === mode}
                    onChange={() => theme.setMode(mode)}
                  />
                  <Icon size={18} strokeWidth={1.75} aria-hidden />
                  {label}
                </Choice>
              )
            })}
          </Modes>
        </fieldset>
        <fieldset>
          <legend>主题颜色</legend>
          <Presets>
            {presetNames.map((name) => {
              const brand = presets[name][theme.palette.mode]
              return (
                <Choice key={name}>
                  <input
                    type="radio"
                    name="theme-preset"
                    checked={theme.preset === name}
                    onChange={() => theme.setPreset(name)}
                  />
                  <Swatch
                    style={{ background: `linear-gradient(135deg, ${brand.primary} 50%, ${brand.secondary} 50%)` }}
                  >
                    {theme.preset === name && <Check size={16} strokeWidth={2.5} aria-hidden />}
                  </Swatch>
                  {presets[name].label}
                </Choice>
              )
            })}
          </Presets>
        </fieldset>
      </Inner>
    </Layer>
  )
}

const Layer = styled(Popover)`
  width: min(480px, 100vw - 24px);
  overflow: auto;
  border-radius: ${radius.dialog};
  background: ${color.raised};
  box-shadow: ${shadow.menu};
`

const Inner = styled(Dialog)`
  display: grid;
  gap: 16px;
  padding: 20px;
  outline: none;

  h2 {
    ${font.md}
  }

  legend {
    padding: 0;
    margin-bottom: 8px;
    ${font.xs}
    color: ${color.text2};
  }
`

const Modes = styled.div`
  display: grid;
  grid-template-columns: repeat(3, 1fr);
  gap: 8px;
`

const Presets = styled.div`
  display: grid;
  grid-template-columns: repeat(5, 1fr);
  gap: 8px;

  ${media.phone} {
    gap: 4px;
  }
`

const Choice = styled.label`
  position: relative;
  display: grid;
  justify-items: center;
  gap: 6px;
  padding: 10px 4px;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
  ${font.xs}
  cursor: pointer;

  ${coveringInput}

  &:hover {
    border-color: ${color.primary.text};
  }

  ${chosenCard}
`

const Swatch = styled.span`
  display: grid;
  place-items: center;
  width: 28px;
  height: 28px;
  border-radius: ${radius.control};
  color: ${color.onNight};
`
