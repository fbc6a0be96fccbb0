-- What an image's machines are started with, and which hosts can (decision 0111).
alter table images
  add column firmware text not null default 'bios' constraint images_firmware_known check (firmware in ('bios', 'uefi')),
  add constraint images_uefi_is_system check (firmware = 'bios' or kind = 'system');

-- As its agent told last; without it no image that wants UEFI counts as being there.
alter table hosts add column boots_uefi boolean not null default false;
