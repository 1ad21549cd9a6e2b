"""What tests stand on: servers, browsers and installations of the product."""
