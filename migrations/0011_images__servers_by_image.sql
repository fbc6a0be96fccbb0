-- Who still needs an image, asked before it is deleted: most servers of a long life are released.
create index servers_image_idx on servers (image_id) where released_at is null;
